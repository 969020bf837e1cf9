/** Handles requests that ask to compact a conversation, and requests that contain a compacted one. */

import type { OutgoingHttpHeaders } from 'node:http';
import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord, strictJson } from '../../formats/json.ts';
import { responses } from '../../formats/responses/index.ts';
import { decodeUsage } from '../../formats/responses/usage.ts';
import { invalidOf } from '../core/callerRequest.ts';
import { CallHandle } from '../core/callHandle.ts';
import { mayRefuseCompaction, refusesCompaction } from '../core/compactionRefusal.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { Refusal } from '../core/refusal.ts';
import {
  type AnswerSink,
  memberOf,
  type Offer,
  offersOf,
  type Upstream,
  type UpstreamCall,
  type UpstreamMember,
  type UpstreamRequest,
} from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { encodingOf } from '../http/headers.ts';
import { parseJsonBody, readJsonBody, readLongJson } from '../http/jsonBody.ts';
import { readShortJson, writeLongJson } from '../http/longJson.ts';
import type { LongTexts } from '../http/longTexts.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import { isTrigger, itemsOf, summaryRequest, withOpened } from './compactedInput.ts';
import type { ReadRequest } from './compactionMark.ts';
import { type Compaction, SummaryAnswer } from './summaryAnswer.ts';

const MAX_ERROR_BYTES = 64 * 1024;

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
    return { error: invalidOf(error) };
  }
}

async function withBody(
  { json: _, ...request }: ReadRequest,
  body: JsonRecord,
  texts?: LongTexts,
): Promise<ReadRequest> {
  const bytes = isLong(request.body)
    ? await writeLongJson(body, request.body.length, texts)
    : Buffer.from(strictJson(body));
  // Opened items are longer than sealed ones. Without room for them, the request is ended.
  request.memory?.body(bytes.length);
  return { ...request, body: bytes };
}

/**
 * The upstream of one request that asks for a compacted conversation. Forwards the request if the upstream may support
 * compaction. Otherwise it sends the request for a summary and returns the sealed summary.
 */
class CompactingUpstream extends WrappedUpstream {
  readonly #compaction: Compaction;

  constructor(upstream: Upstream, compaction: Compaction) {
    super(upstream);
    this.#compaction = compaction;
  }

  member(id: string): UpstreamMember {
    return memberOf(this.inner, id);
  }

  offers(model: string): readonly Offer[] {
    return offersOf(this.inner, model);
  }

  /** @param request the request for a summary. */
  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { original, asked } = this.#compaction;
    const summarize = () => {
      const answer = new SummaryAnswer(this.#compaction, sink);
      return answer.attach(this.inner.send(request, answer));
    };
    if (this.inner.compacts?.(asked.model) === false) return summarize();
    return new CompactionAttempt(this.inner, original, sink, summarize).handle;
  }

  /** Does nothing. The inner upstream is shared and stays open. */
  override async close(): Promise<void> {
    return;
  }
}

/** Forwards the answer of an upstream, unless it shows that the upstream does not support compaction. */
class CompactionAttempt extends PassingSink {
  /** The call for the caller: first to this upstream, then to what replaces it after a refusal. */
  readonly handle = new CallHandle();
  readonly #request: UpstreamRequest;
  readonly #onRefused: () => UpstreamCall;
  /** The head of a possible refusal, held back until its body is read. */
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders } | undefined;
  #bytes: BoundedBytes | undefined;
  #encoding = '';

  /** @param onRefused asks for the compaction in another way. */
  constructor(upstream: Upstream, request: UpstreamRequest, sink: AnswerSink, onRefused: () => UpstreamCall) {
    super(sink);
    this.#request = request;
    this.#onRefused = onRefused;
    const call = upstream.send(request, this);
    this.handle.call ??= call;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    if (mayRefuseCompaction(this.#request, status)) {
      this.#refusal = { status, headers };
      this.#bytes = new BoundedBytes(MAX_ERROR_BYTES);
      return;
    }
    // The usage of this endpoint is read nowhere else.
    if (this.#request.endpoint === '/responses/compact' && status < 400) {
      this.#bytes = new BoundedBytes();
      this.#encoding = encodingOf(headers);
    }
    this.sink.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    if (this.#bytes !== undefined && this.#request.memory?.answer(chunk.length) === false) return true;
    const isKept = this.#bytes?.add(chunk);
    if (this.#refusal === undefined) return this.sink.data(chunk);
    if (isKept === false) this.#bytes = undefined;
    return true;
  }

  override end(): void {
    const { status, headers } = this.#refusal ?? {};
    const raw = this.#bytes?.concat() ?? Buffer.alloc(0);
    if (status === undefined || headers === undefined) {
      this.#countUsage(raw);
      this.sink.end();
      return;
    }
    const text = decompress(raw, encodingOf(headers), MAX_ERROR_BYTES)?.toString() ?? '';
    if (refusesCompaction(this.#request, status, text)) this.#askAgain();
    else {
      this.sink.start(status, headers);
      this.sink.data(raw);
      this.sink.end();
    }
  }

  #askAgain(): void {
    if (!this.handle.isCanceled) this.handle.call = this.#onRefused();
  }

  #countUsage(raw: Buffer): void {
    const plain = decompress(raw, this.#encoding, MAX_WHOLE_BYTES);
    const body = plain === undefined || plain.length === 0 ? undefined : parseJsonBody(plain);
    const usage = isRecord(body) ? body.usage : undefined;
    if (!isRecord(usage)) return;
    const { input_tokens: input, output_tokens: output } = usage;
    const reported = typeof input === 'number' && typeof output === 'number' ? decodeUsage(usage) : undefined;
    if (reported !== undefined) this.sink.used?.({ usage: reported, isEstimated: false });
  }
}
