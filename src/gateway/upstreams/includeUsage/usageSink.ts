import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { decodeUsage, hasOutput } from '../../../formats/chatCompletions/usage.ts';
import { isRecord, type JsonRecord, parseJson } from '../../../formats/json.ts';
import { ServerSentEventDecoder } from '../../../formats/serverSentEvents.ts';
import { hasUnlistedPrice, type Usage } from '../../../formats/usage.ts';
import type { AnswerSink } from '../../core/upstream.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import { isPlain } from '../../http/contentEncoding.ts';
import { boundsOfEvent, endOfLastEvent, LF } from '../../http/eventBounds.ts';
import { encodingOf, isEventStream } from '../../http/headers.ts';
import { findUsage } from '../../http/usageKey.ts';

/** Longer than any event that contains only the usage, in bytes. */
const MAX_HELD = 64 * 1024;

const NOTHING = Buffer.alloc(0);

const DELTA = '"delta"';
/** A native search stops at each occurrence of the first character, and quotes are frequent. */
const USAGE = 'usage"';

interface ReportedUsage {
  readonly usage: Usage;
  /** The model that the chunk names. */
  readonly model?: string;
  /** True if the answer started or continued after the usage, so that the usage is incomplete. */
  readonly isPartial?: true;
  /** True if the chunk names a tier whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: true;
}

/**
 * Removes the chunk that contains only the usage from a chat-completions stream whose caller has not asked for it, and
 * reports the usage. All other bytes pass unchanged. An incomplete event is held back until its end.
 */
export class UsageSink implements AnswerSink {
  /** The sink of an answer from which nothing is removed. */
  direct: ByteSink | undefined;
  readonly #sink: AnswerSink;
  readonly #hidesUsage: () => boolean;
  #held: Buffer = NOTHING;
  #reported: ReportedUsage | undefined;
  #hasPassed = false;

  /** @param hidesUsage whether to hide the usage from the caller. Called when the answer starts. */
  constructor(sink: AnswerSink, hidesUsage: () => boolean) {
    this.#sink = sink;
    this.#hidesUsage = hidesUsage;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    const isReadable = isEventStream(headers) && isPlain(encodingOf(headers));
    if (!isReadable || !this.#hidesUsage()) this.direct = this.#sink;
    this.#sink.start(status, headers);
  }

  data(chunk: Buffer): boolean {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    let to: ByteSink = this.#sink;
    while (to.direct !== undefined) to = to.direct;
    const endsEvent = bytes[bytes.length - 1] === LF && bytes[bytes.length - 2] === LF;
    // Some services write `"usage": null` into all other events.
    const at = bytes.includes(USAGE) ? findUsage(bytes) : -1;
    if (this.#reported === undefined && endsEvent && at === -1) {
      this.#hasPassed = true;
      return to.data(bytes);
    }
    const end = endOfLastEvent(bytes);
    const isTooLong = bytes.length - end > MAX_HELD;
    if (!isTooLong) this.#held = bytes.subarray(end);
    const passed = this.#withoutUsage(isTooLong ? bytes : bytes.subarray(0, end), at);
    return passed.length === 0 || to.data(passed);
  }

  end(): void {
    this.#passRest();
    this.#sink.end();
  }

  fail(error: ApiError): void {
    this.#passRest();
    this.#sink.fail(error);
  }

  #passRest(): void {
    const rest = this.#withoutUsage(this.#held, findUsage(this.#held));
    this.#held = NOTHING;
    if (rest.length > 0) this.#sink.data(rest);
    if (this.#reported !== undefined) this.#sink.used?.({ ...this.#reported, isEstimated: false });
  }

  /**
   * Looks only at events with a usage. What lies between two removed ones passes as it is.
   * @param first the position of the first usage, or -1. It may lie behind these events.
   */
  #withoutUsage(events: Buffer, first: number): Buffer {
    const kept: Buffer[] = [];
    let keptFrom = 0;
    let passed = 0;
    for (let at = first; at !== -1 && at < events.length; at = findUsage(events, passed)) {
      const { start, end } = boundsOfEvent(events, at);
      this.#pass(events.subarray(passed, start));
      passed = end;
      const event = events.subarray(start, end);
      if (this.#takes(event)) {
        kept.push(events.subarray(keptFrom, start));
        keptFrom = end;
      } else this.#pass(event);
    }
    this.#pass(events.subarray(passed));
    const rest = events.subarray(keptFrom);
    return kept.length === 0 ? rest : Buffer.concat([...kept, rest]);
  }

  /** A usage that was reported before further output is incomplete. */
  #pass(events: Buffer): void {
    this.#hasPassed ||= events.length > 0;
    if (this.#reported === undefined || this.#reported.isPartial === true || !events.includes(DELTA)) return;
    if (jsonOf(events).some(isOutputChunk)) this.#reported = { ...this.#reported, isPartial: true };
  }

  #takes(event: Buffer): boolean {
    const [chunk, ...others] = jsonOf(event);
    if (others.length > 0 || !isUsageAlone(chunk)) return false;
    const usage = decodeUsage(chunk.usage);
    if (usage === undefined) return false;
    // Half of a usage is useless, because the rest is unknown.
    const isWhole = typeof chunk.usage.prompt_tokens === 'number' && typeof chunk.usage.completion_tokens === 'number';
    if (!isWhole) return true;
    const { model } = chunk;
    this.#reported = {
      usage,
      ...(typeof model === 'string' && { model }),
      ...(!this.#hasPassed && { isPartial: true }),
      ...(hasUnlistedPrice(chunk, chunk.usage) && { hasUnlistedPrice: true }),
    };
    return true;
  }
}

function jsonOf(events: Buffer): readonly unknown[] {
  const decoder = new ServerSentEventDecoder();
  return [...decoder.push(events), ...decoder.end()].map(({ data }) => parseJson(data));
}

function isOutputChunk(chunk: unknown): boolean {
  const choices: readonly unknown[] = isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  return choices.some((choice) => isRecord(choice) && hasOutput(choice.delta));
}

function isUsageAlone(chunk: unknown): chunk is JsonRecord & { usage: JsonRecord } {
  return isRecord(chunk) && isRecord(chunk.usage) && Array.isArray(chunk.choices) && chunk.choices.length === 0;
}
