import type { Clock } from '../../service/clock.ts';
import { type KeyLimits, type LimitName, MAX_WAIT_MS, type QueueState } from '../core/keyLimits.ts';
import { type CountedRequest, MinuteWindow } from './minuteWindow.ts';

/** The limit that a request waits for, and how long. `ms` is undefined if this depends on other requests. */
export interface LimitWait {
  readonly limit: LimitName;
  readonly ms?: number;
}

export interface Left {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is available again if no more requests are sent. */
  readonly resetMs: number;
}

export interface LimitsLeft {
  readonly requests?: Left;
  readonly tokens?: Left;
}

/** A request: first in the queue, then in progress, then counted in the minute after it was sent. */
export interface QueuedRequest {
  readonly tokens: number;
  /** When it arrived, by the clock's elapsed time. */
  readonly since: number;
  /**
   * Resolves with the limit for which the request waited too long, or with `undefined` when it may be sent or has left
   * the queue.
   */
  readonly turn: PromiseWithResolvers<LimitWait | undefined>;
  stopTimer?: () => void;
  /** Undefined until the request may be sent. */
  sent?: CountedRequest;
}

/**
 * Enforces the limits of one key. Requests wait in the order in which they arrived. A request that may be sent is
 * counted for all limits in one step; one that waits or leaves the queue is counted for none.
 */
export class KeyQueue {
  readonly #clock: Clock;
  readonly #minute = new MinuteWindow();
  readonly #day = new WaitsOfDay();
  readonly #waiting = new Set<QueuedRequest>();
  readonly #inProgress = new Set<QueuedRequest>();
  #limits: KeyLimits;
  #stopTimer: () => void = () => undefined;

  constructor(limits: KeyLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Takes effect immediately, also for waiting requests. */
  set limits(limits: KeyLimits) {
    if (limits === this.#limits) return;
    this.#limits = limits;
    this.#advance();
  }

  /** @param tokens an estimate of input and output tokens. */
  enter(tokens: number): QueuedRequest {
    const request: QueuedRequest = { tokens, since: this.#clock.elapsed(), turn: Promise.withResolvers() };
    this.#waiting.add(request);
    this.#advance();
    if (request.sent === undefined) request.stopTimer = this.#clock.after(MAX_WAIT_MS, () => this.#giveUp(request));
    return request;
  }

  /** Returns what a request waits for, or `undefined` if it does not wait. */
  blockOf(request: QueuedRequest): LimitWait | undefined {
    const [first] = this.#waiting;
    if (first === undefined || !this.#waiting.has(request)) return undefined;
    return this.#blockFor(request.tokens) ?? this.#blockFor(first.tokens);
  }

  /** Removes a request whose connection is closed, which frees its place in progress or in the queue. */
  leave(request: QueuedRequest): void {
    this.#inProgress.delete(request);
    this.#endWait(request);
    this.#advance();
  }

  /** @param tokens the tokens that the request used; `undefined` if it was never sent, so that it is not counted. */
  settle(request: QueuedRequest, tokens: number | undefined): void {
    if (request.sent === undefined) return;
    if (tokens === undefined) this.#minute.remove(request.sent);
    else request.sent.tokens = tokens;
    this.#advance();
  }

  left(): LimitsLeft {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    const now = this.#clock.elapsed();
    const resetMs = this.#minute.msUntilEmpty(now);
    const leftOf = (limit: number, used: number): Left => ({ limit, remaining: Math.max(0, limit - used), resetMs });
    return {
      ...(requestsPerMinute !== undefined && { requests: leftOf(requestsPerMinute, this.#minute.requests(now)) }),
      ...(tokensPerMinute !== undefined && { tokens: leftOf(tokensPerMinute, this.#minute.tokens(now)) }),
    };
  }

  /** Must be called for a request that is refused without a wait. */
  refused(): void {
    this.#day.refused(this.#clock.now());
  }

  get state(): Omit<QueueState, 'localKeyId'> {
    const now = this.#clock.elapsed();
    const frees = this.#minute.oldest(now);
    return {
      running: this.#inProgress.size,
      requests: this.#minute.requests(now),
      tokens: this.#minute.tokens(now),
      ...(frees !== undefined && { frees }),
      ...this.#day.at(this.#clock.now()),
    };
  }

  #giveUp(request: QueuedRequest): void {
    this.refused();
    this.#noteWait(request);
    this.#endWait(request, this.blockOf(request));
    this.#advance();
  }

  #endWait(request: QueuedRequest, block?: LimitWait): void {
    this.#waiting.delete(request);
    request.stopTimer?.();
    request.turn.resolve(block);
  }

  /**
   * Admits requests in order until one is blocked. If that one only has to wait for time to pass, sets a timer to
   * continue.
   */
  #advance(): void {
    this.#stopTimer();
    for (const request of this.#waiting) {
      const block = this.#blockFor(request.tokens);
      if (block !== undefined) {
        if (block.ms !== undefined) this.#stopTimer = this.#clock.after(block.ms, () => this.#advance());
        return;
      }
      request.sent = this.#minute.add(this.#clock.elapsed(), request.tokens);
      this.#noteWait(request);
      this.#inProgress.add(request);
      this.#endWait(request);
    }
  }

  #noteWait({ since }: QueuedRequest): void {
    this.#day.waited(this.#clock.elapsed() - since, this.#clock.now());
  }

  #blockFor(tokens: number): LimitWait | undefined {
    const { parallel, requestsPerMinute, tokensPerMinute } = this.#limits;
    const now = this.#clock.elapsed();
    if (parallel !== undefined && this.#inProgress.size >= parallel) return { limit: 'parallel' };
    const untilRequest = requestsPerMinute === undefined ? 0 : this.#minute.msUntilRequest(requestsPerMinute, now);
    if (untilRequest > 0) return { limit: 'requestsPerMinute', ms: untilRequest };
    const needed = tokensPerMinute === undefined ? 0 : Math.min(tokens, tokensPerMinute);
    const untilTokens = tokensPerMinute === undefined ? 0 : this.#minute.msUntilTokens(tokensPerMinute, needed, now);
    return untilTokens > 0 ? { limit: 'tokensPerMinute', ms: untilTokens } : undefined;
  }
}

/** The longest wait and the refusals of a key since midnight in the machine's time zone. */
class WaitsOfDay {
  #midnight = 0;
  #longestWaitMs = 0;
  #refused = 0;

  /** @param now milliseconds since the epoch. */
  waited(ms: number, now: number): void {
    this.#turnTo(now);
    this.#longestWaitMs = Math.max(this.#longestWaitMs, ms);
  }

  refused(now: number): void {
    this.#turnTo(now);
    this.#refused += 1;
  }

  at(now: number): Pick<QueueState, 'longestWaitMs' | 'refused'> {
    this.#turnTo(now);
    return { longestWaitMs: this.#longestWaitMs, refused: this.#refused };
  }

  #turnTo(now: number): void {
    const midnight = new Date(now).setHours(0, 0, 0, 0);
    if (midnight === this.#midnight) return;
    this.#midnight = midnight;
    this.#longestWaitMs = 0;
    this.#refused = 0;
  }
}
