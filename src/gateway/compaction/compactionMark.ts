/** Which requests may be about compaction; small, so that the rest is loaded with the first of them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint, UpstreamRequest } from '../core/upstream.ts';
import { asBuffer } from '../http/asBuffer.ts';

/** A request whose body was read. */
export type ReadRequest = UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>;

/** With what the types of all items about compaction begin. */
const MARK = '"compaction';
/** Where clients list what they can do, such as `remote_compaction_v2`. */
const FEATURES = 'x-codex-beta-features';

/** Whether the body must be looked into. Costs one search of the bytes, and only in the responses format. */
export function concernsCompaction({ endpoint, body }: ReadRequest): boolean {
  return endpoint === '/responses/compact' || (endpoint === '/responses' && asBuffer(body).includes(MARK));
}

/** Whether all of the body is needed to know that. */
export function mayConcernCompaction(endpoint: Endpoint, headers: IncomingHttpHeaders): boolean {
  if (endpoint !== '/responses') return endpoint === '/responses/compact';
  return String(headers[FEATURES] ?? '').includes('compaction');
}
