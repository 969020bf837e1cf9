import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { UsageCount } from '../core/upstream.ts';
import { OutputMeter } from './outputMeter.ts';

/** The most that an exchange may use, sized up before it was sent because its key has a budget. */
export interface UsagePlan {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
}

/** `stream` and `body` can be read as they pass; what is `compressed` cannot. */
export type AnswerKind = 'stream' | 'body' | 'compressed';

export interface Ending {
  readonly end: ExchangeEnd;
  readonly durationMs: number;
  /** What the answer itself said that it used, or the one who translated it. */
  readonly counted: UsageCount | undefined;
}

/** Faster than most models write: what is assumed of an answer that was given up before it began. */
const TOKENS_PER_SECOND = 100;
/** Of a JSON answer that does not say what it used. */
const BYTES_PER_TOKEN = 4;
/** A count below this part of what passed was made before the end. */
const MIN_PART_COUNTED = 0.5;

/** Follows an exchange that counts against a budget, so that it counts even when nobody says what it used. */
export class PlannedUsage {
  readonly #plan: UsagePlan;
  readonly #format: WireFormat;
  #status: number | undefined;
  #kind: AnswerKind = 'compressed';
  #stream: OutputMeter | undefined;
  #bodyBytes = 0;

  /** @param format The caller's. */
  constructor(plan: UsagePlan, format: WireFormat) {
    this.#plan = plan;
    this.#format = format;
  }

  start(status: number, kind: AnswerKind): void {
    this.#status = status;
    this.#kind = kind;
    if (kind === 'stream') this.#stream = new OutputMeter(this.#format);
  }

  add(chunk: Uint8Array | string): void {
    this.#stream?.add(chunk);
    this.#bodyBytes += chunk.length;
  }

  /** `undefined` for nothing: an upstream that refused or could not be reached did nothing. */
  count({ end, durationMs, counted }: Ending): UsageCount | undefined {
    if (this.#status === undefined) {
      const isGivenUp = end === 'clientLeft' || end === 'refused' || end === 'cancelled';
      return isGivenUp ? this.#estimate((durationMs / 1000) * TOKENS_PER_SECOND) : undefined;
    }
    if (this.#status >= 400) return undefined;
    if (counted === undefined) return this.#estimate(this.#passedTokens());
    const passed = this.#stream?.tokens ?? 0;
    if (counted.usage.outputTokens >= passed * MIN_PART_COUNTED) return counted;
    return { usage: { ...counted.usage, outputTokens: passed }, isEstimated: true };
  }

  #passedTokens(): number {
    switch (this.#kind) {
      case 'stream':
        return this.#stream?.tokens ?? 0;
      case 'body':
        return this.#bodyBytes / BYTES_PER_TOKEN;
      case 'compressed':
        return this.#plan.maxOutputTokens;
    }
  }

  #estimate(outputTokens: number): UsageCount {
    const { inputTokens, maxOutputTokens } = this.#plan;
    const usage = { inputTokens, outputTokens: Math.min(maxOutputTokens, Math.ceil(outputTokens)) };
    return { usage, isEstimated: true };
  }
}
