import type { Clock } from '../../service/clock.ts';
import type { KeyLimits, LimitName } from '../core/keyLimits.ts';
import { MinuteWindow, type SentRequest } from './minuteWindow.ts';

/** Why a request waits, and for how long; `ms` is absent where that depends on other requests. */
export interface Block {
  readonly limit: LimitName;
  readonly ms?: number;
}

/** What is left of a limit that counts by the minute. */
export interface Left {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until all of it is there again if nothing more is sent. */
  readonly resetMs: number;
}

/** One request: first in the queue, then in progress, then in the minute in which it was sent. */
export interface QueuedRequest {
  readonly tokens: number;
  /** Resolves with the limit for which it has waited too long, or with `undefined` when its turn has come or it left. */
  readonly turn: PromiseWithResolvers<Block | undefined>;
  stopTimer?: () => void;
  /** Present once its turn has come. */
  sent?: SentRequest;
}

export const MAX_WAIT_MS = 30_000;

/**
 * Holds one key to its limits. Requests wait in the order in which they came. One that passes takes from all limits in
 * the same step, and one that waits or leaves the queue takes from none.
 */
export class KeyQueue {
  readonly #clock: Clock;
  readonly #minute = new MinuteWindow();
  readonly #waiting = new Set<QueuedRequest>();
  readonly #inProgress = new Set<QueuedRequest>();
  #limits: KeyLimits;
  #stopTimer: () => void = () => undefined;

  constructor(limits: KeyLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Effective at once, also for requests that wait. */
  set limits(limits: KeyLimits) {
    this.#limits = limits;
    this.#advance();
  }

  /** @param tokens an estimate of input and output. */
  enter(tokens: number): QueuedRequest {
    const request: QueuedRequest = { tokens, turn: Promise.withResolvers() };
    this.#waiting.add(request);
    this.#advance();
    if (request.sent === undefined) request.stopTimer = this.#clock.after(MAX_WAIT_MS, () => this.#giveUp(request));
    return request;
  }

  /** What a request waits for; `undefined` once its turn has come. */
  blockOf(request: QueuedRequest): Block | undefined {
    const [first] = this.#waiting;
    if (first === undefined || !this.#waiting.has(request)) return undefined;
    return this.#shortage(request.tokens) ?? this.#shortage(first.tokens);
  }

  /** The connection of a request is closed: the next one can have its place, in progress or in the queue. */
  leave(request: QueuedRequest): void {
    this.#inProgress.delete(request);
    this.#endWait(request);
    this.#advance();
  }

  /** @param tokens what a request has really used; absent when it was never sent, so that it counts for no limit. */
  settle(request: QueuedRequest, tokens: number | undefined): void {
    if (request.sent === undefined) return;
    if (tokens === undefined) this.#minute.remove(request.sent);
    else request.sent.tokens = tokens;
    this.#advance();
  }

  /** What the limits that count by the minute leave. */
  left(): { readonly requests?: Left; readonly tokens?: Left } {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    const now = this.#clock.now();
    const resetMs = this.#minute.msUntilEmpty(now);
    const leftOf = (limit: number, used: number): Left => ({ limit, remaining: Math.max(0, limit - used), resetMs });
    return {
      ...(requestsPerMinute !== undefined && { requests: leftOf(requestsPerMinute, this.#minute.requests(now)) }),
      ...(tokensPerMinute !== undefined && { tokens: leftOf(tokensPerMinute, this.#minute.tokens(now)) }),
    };
  }

  #giveUp(request: QueuedRequest): void {
    this.#endWait(request, this.blockOf(request));
    this.#advance();
  }

  #endWait(request: QueuedRequest, block?: Block): void {
    this.#waiting.delete(request);
    request.stopTimer?.();
    request.turn.resolve(block);
  }

  /** Lets pass all whose turn has come, and looks again when the time alone makes room. */
  #advance(): void {
    this.#stopTimer();
    for (const request of this.#waiting) {
      const block = this.#shortage(request.tokens);
      if (block !== undefined) {
        if (block.ms !== undefined) this.#stopTimer = this.#clock.after(block.ms, () => this.#advance());
        return;
      }
      request.sent = this.#minute.add(this.#clock.now(), request.tokens);
      this.#inProgress.add(request);
      this.#endWait(request);
    }
  }

  #shortage(tokens: number): Block | undefined {
    const { parallel, requestsPerMinute, tokensPerMinute } = this.#limits;
    const now = this.#clock.now();
    if (parallel !== undefined && this.#inProgress.size >= parallel) return { limit: 'parallel' };
    const untilRequest = requestsPerMinute === undefined ? 0 : this.#minute.msUntilRequest(requestsPerMinute, now);
    if (untilRequest > 0) return { limit: 'requestsPerMinute', ms: untilRequest };
    const needed = tokensPerMinute === undefined ? 0 : Math.min(tokens, tokensPerMinute);
    const untilTokens = tokensPerMinute === undefined ? 0 : this.#minute.msUntilTokens(tokensPerMinute, needed, now);
    return untilTokens > 0 ? { limit: 'tokensPerMinute', ms: untilTokens } : undefined;
  }
}
