/** Handles requests that ask to compact a conversation, and requests that contain a compacted one. */
import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { responses } from '../../formats/responses/index.ts';
import { invalid } from '../core/callerRequest.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Upstream } from '../core/upstream.ts';
import { readJsonBody, readLongJson } from '../http/jsonBody.ts';
import { readShortJson, writeLongJson } from '../http/longJson.ts';
import type { LongTexts } from '../http/longTexts.ts';
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
  const read = await readBody(request.body);
  if (read === undefined) return { upstream, request: { ...request, endpoint: '/responses' } };
  const { body, texts } = read;
  const given = itemsOf(body);
  const items = withOpened(given, sealingKey, request.standIns);
  if ('error' in items) return items;
  const isOpened = items.some((item, place) => item !== given[place]);
  const original = isOpened ? await withBody(request, { ...body, input: items }, texts) : request;
  const isEndpoint = request.endpoint === '/responses/compact';
  if (!isEndpoint && !items.some(isTrigger)) return { upstream, request: original };
  const isStream = !isEndpoint && body.stream === true;
  if (isLong(request.body)) await nextTurn();
  const asked = decoded(body);
  if (isLong(request.body)) await nextTurn();
  if ('error' in asked) return asked;
  const compaction = { original: { ...original, asksCompaction: true as const }, asked, isStream, sealingKey };
  const summarizing = await withBody(request, summaryRequest(body, items, isStream), texts);
  return {
    upstream: new CompactingUpstream(upstream, compaction),
    request: { ...summarizing, endpoint: '/responses' },
  };
}

interface ReadBody {
  readonly body: JsonRecord;
  /** The long texts, of which `body` contains only references. */
  readonly texts?: LongTexts;
}

async function readBody(bytes: Buffer): Promise<ReadBody | undefined> {
  try {
    const short = isLong(bytes) ? await readShortJson(bytes) : { value: readJsonBody(bytes) };
    const { value: body, ...texts } = short ?? (await readLongJson(bytes));
    return isRecord(body) ? { body, ...texts } : undefined;
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

async function withBody(
  { json: _, ...request }: ReadRequest,
  body: JsonRecord,
  texts?: LongTexts,
): Promise<ReadRequest> {
  const bytes = isLong(request.body)
    ? await writeLongJson(body, request.body.length, texts)
    : Buffer.from(JSON.stringify(body));
  // Opened items are longer than sealed ones. Without room for them, the request is ended.
  request.memory?.body(bytes.length);
  return { ...request, body: bytes };
}
