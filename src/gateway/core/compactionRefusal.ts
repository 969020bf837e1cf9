/** How upstreams say that they do not compact conversations. Whoever asked has another way then: a summary by the model. */
import type { ApiError } from '../../formats/apiError.ts';
import type { UpstreamRequest } from './upstream.ts';

type Asked = Pick<UpstreamRequest, 'endpoint' | 'asksCompaction'>;

/** They know no such endpoint, or no such item of the input. */
const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501]);
const NO_ITEM: ReadonlySet<number> = new Set([400, 422]);
const ABOUT_COMPACTION = /compact/i;

/** Whether an answer of this status may say so; its body decides. */
export function mayRefuseCompaction({ endpoint, asksCompaction }: Asked, status: number): boolean {
  return asksCompaction === true && (isEndpoint(endpoint) ? NO_ENDPOINT : NO_ITEM).has(status);
}

/** @param text of the body, decompressed. */
export function refusesCompaction(asked: Asked, status: number, text: string): boolean {
  return mayRefuseCompaction(asked, status) && (isEndpoint(asked.endpoint) || ABOUT_COMPACTION.test(text));
}

/** The same of an upstream to which the request would have to be translated. */
export function noCompaction({ endpoint }: Asked): ApiError {
  const message = 'The upstream cannot compact a conversation.';
  return isEndpoint(endpoint)
    ? { kind: 'notFound', status: 404, message }
    : { kind: 'invalidRequest', status: 400, message, param: 'input' };
}

function isEndpoint(endpoint: UpstreamRequest['endpoint']): boolean {
  return endpoint === '/responses/compact';
}
