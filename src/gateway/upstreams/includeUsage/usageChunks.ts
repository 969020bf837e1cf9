import { hasOutput } from '../../../formats/chatCompletions/answerText.ts';
import { decodeUsage } from '../../../formats/chatCompletions/usage.ts';
import type { Usage } from '../../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../../formats/json.ts';
import { ServerSentEventDecoder } from '../../../formats/serverSentEvents.ts';
import { hasUnlistedPrice } from '../../../formats/unlistedPrice.ts';
import { parseJson } from '../../../service/json.ts';
import { endOfFirstEvent, endOfLastEvent, LF } from '../../http/eventBounds.ts';
import { findUsage } from '../../http/usageKey.ts';

/** Longer than any event that contains only the usage, in bytes. */
const MAX_HELD = 64 * 1024;

const NOTHING = Buffer.alloc(0);

export interface ReportedUsage {
  readonly usage: Usage;
  /** The model that the chunk names. */
  readonly model?: string;
  /** True if the answer started or continued after the usage, so that the usage is incomplete. */
  readonly isPartial?: true;
  /** True if the chunk names a tier whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: true;
}

const DELTA = '"delta"';
/** A native search stops at each occurrence of the first character, and quotes are frequent. */
const USAGE = 'usage"';

/**
 * Removes the chunk that contains only the usage from a chat-completions stream, for a caller who has not asked for it.
 * All other bytes pass unchanged. An incomplete event is held back until its end.
 */
export class UsageChunks {
  #held: Buffer = NOTHING;
  #reported: ReportedUsage | undefined;
  #hasPassed = false;

  /** The usage in the chunks that were removed. */
  get reported(): ReportedUsage | undefined {
    return this.#reported;
  }

  /** @returns the bytes that can be passed on now. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const endsEvent = bytes[bytes.length - 1] === LF && bytes[bytes.length - 2] === LF;
    // Some services write `"usage": null` into all other events.
    if (this.#reported === undefined && endsEvent && (!bytes.includes(USAGE) || findUsage(bytes) === -1)) {
      this.#held = NOTHING;
      this.#hasPassed = true;
      return bytes;
    }
    const end = endOfLastEvent(bytes);
    const isTooLong = bytes.length - end > MAX_HELD;
    this.#held = isTooLong ? NOTHING : bytes.subarray(end);
    return Buffer.concat(this.#withoutUsage(isTooLong ? bytes : bytes.subarray(0, end)));
  }

  /**
   * Called at the end of the stream.
   * @returns the bytes that were held back.
   */
  end(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    return Buffer.concat(this.#withoutUsage(rest));
  }

  #withoutUsage(events: Buffer): Buffer[] {
    if (findUsage(events) === -1) {
      this.#pass(events);
      return [events];
    }
    const kept: Buffer[] = [];
    for (let rest = events; rest.length > 0; ) {
      const length = endOfFirstEvent(rest);
      const event = length === -1 ? rest : rest.subarray(0, length);
      if (!this.#takes(event)) {
        this.#pass(event);
        kept.push(event);
      }
      rest = rest.subarray(event.length);
    }
    return kept;
  }

  /** A usage that was reported before further output is incomplete. */
  #pass(events: Buffer): void {
    this.#hasPassed ||= events.length > 0;
    if (this.#reported === undefined || this.#reported.isPartial === true || !events.includes(DELTA)) return;
    if (jsonOf(events).some(isOutputChunk)) this.#reported = { ...this.#reported, isPartial: true };
  }

  #takes(event: Buffer): boolean {
    if (findUsage(event) === -1) return false;
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
