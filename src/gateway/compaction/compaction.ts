/** Handles requests that ask to compact a conversation, and requests that contain a compacted one. */
import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { responses } from '../../formats/responses/index.ts';
import { invalid } from '../core/callerRequest.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Upstream } from '../core/upstream.ts';
import { readLongJson } from '../http/jsonBody.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import { isTrigger, itemsOf, summaryRequest, withOpened } from './compactedInput.ts';
import { CompactingUpstream } from './compactingUpstream.ts';
import type { ReadRequest } from './compactionMark.ts';

export interface AskedUpstream {
  readonly upstream: Upstream;
  readonly request: ReadRequest;
}

/**
 * Prepares the upstream and the request to send. Opens items that this gateway has sealed. If the conversation is to be
 * compacted, the model is asked for a summary if the upstream does not support compaction.
 * @param sealingKey returns the key for the local key's summaries.
 */
export async function prepareCompaction(
  request: ReadRequest,
  upstream: Upstream,
  sealingKey: () => Uint8Array,
): Promise<AskedUpstream | Refusal> {
  const body = await read(request.body);
  if (body === undefined) return { upstream, request: { ...request, endpoint: '/responses' } };
  const given = itemsOf(body);
  const items = withOpened(given, sealingKey);
  if ('error' in items) return items;
  const isOpened = items.some((item, place) => item !== given[place]);
  const original = isOpened ? withBody(request, { ...body, input: items }) : request;
  const isEndpoint = request.endpoint === '/responses/compact';
  if (!isEndpoint && !items.some(isTrigger)) return { upstream, request: original };
  const isStream = !isEndpoint && body.stream === true;
  if (isLong(request.body)) await nextTurn();
  const asked = decoded(body);
  if (isLong(request.body)) await nextTurn();
  if ('error' in asked) return asked;
  const compaction = { original: { ...original, asksCompaction: true as const }, asked, isStream, sealingKey };
  return {
    upstream: new CompactingUpstream(upstream, compaction),
    request: { ...withBody(request, summaryRequest(body, items, isStream)), endpoint: '/responses' },
  };
}

async function read(bytes: Uint8Array): Promise<JsonRecord | undefined> {
  try {
    const { value: body } = await readLongJson(bytes);
    return isRecord(body) ? body : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

function decoded(body: JsonRecord): ChatRequest | Refusal {
  try {
    return responses.decodeRequest(body);
  } catch (error) {
    if (error instanceof FormatError) return { error: invalid(error.message, error.path) };
    throw error;
  }
}

function withBody({ json: _, ...request }: ReadRequest, body: JsonRecord): ReadRequest {
  return { ...request, body: Buffer.from(JSON.stringify(body)) };
}
