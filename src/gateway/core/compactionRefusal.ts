/** How upstreams indicate that they do not support compaction. The sender then asks the model for a summary instead. */
import type { ApiError } from '../../formats/apiError.ts';
import type { UpstreamRequest } from './upstream.ts';

type CompactionRequest = Pick<UpstreamRequest, 'endpoint' | 'asksCompaction'>;

/** Statuses of upstreams that do not know the endpoint, or the input item. */
const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501]);
const NO_ITEM: ReadonlySet<number> = new Set([400, 422]);
const ABOUT_COMPACTION = /compact/i;

/** Whether an answer of this status may be such a refusal. Its body decides. */
export function mayRefuseCompaction({ endpoint, asksCompaction }: CompactionRequest, status: number): boolean {
  return asksCompaction === true && (isEndpoint(endpoint) ? NO_ENDPOINT : NO_ITEM).has(status);
}

/** @param text the decompressed body. */
export function refusesCompaction(asked: CompactionRequest, status: number, text: string): boolean {
  return mayRefuseCompaction(asked, status) && (isEndpoint(asked.endpoint) || ABOUT_COMPACTION.test(text));
}

/** Returns the same refusal for an upstream to which the request would have to be translated. */
export function noCompaction({ endpoint }: CompactionRequest): ApiError {
  const message = 'The upstream cannot compact a conversation.';
  return isEndpoint(endpoint)
    ? { kind: 'notFound', status: 404, message }
    : { kind: 'invalidRequest', status: 400, message, param: 'input' };
}

function isEndpoint(endpoint: UpstreamRequest['endpoint']): boolean {
  return endpoint === '/responses/compact';
}
