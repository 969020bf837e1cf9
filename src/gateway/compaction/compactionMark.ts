/**
 * Detects requests that may concern compaction. Small, so that the other code of this folder is loaded with the first
 * of them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint, UpstreamRequest } from '../core/upstream.ts';

/** A request whose body was read. */
export type ReadRequest = UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>;

/** The types of all compaction items begin with this. */
const MARK = '"compaction';
/** The header in which clients list their features, such as `remote_compaction_v2`. */
const FEATURES = 'x-codex-beta-features';

/** Whether the body must be examined. Searches the bytes once, and only in the Responses format. */
export function concernsCompaction({ endpoint, body }: ReadRequest): boolean {
  return endpoint === '/responses/compact' || (endpoint === '/responses' && body.includes(MARK));
}

/** Whether the whole body is needed to find out. */
export function mayConcernCompaction(endpoint: Endpoint, headers: IncomingHttpHeaders): boolean {
  if (endpoint !== '/responses') return endpoint === '/responses/compact';
  return String(headers[FEATURES] ?? '').includes('compaction');
}
