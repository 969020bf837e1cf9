import type { Clock } from '../../service/clock.ts';
import type { KeyLimits, LimitName } from '../core/keyLimits.ts';
import { MinuteWindow, type SentRequest } from './minuteWindow.ts';

/** The limit that a request waits for, and how long. `ms` is undefined if this depends on other requests. */
export interface Block {
  readonly limit: LimitName;
  readonly ms?: number;
}

/** The remainder of a limit per minute. */
export interface Left {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is available again if no more requests are sent. */
  readonly resetMs: number;
}

/** A request: first in the queue, then in progress, then counted in the minute after it was sent. */
export interface QueuedRequest {
  readonly tokens: number;
  /**
   * Resolves with the limit for which the request waited too long, or with `undefined` when it may be sent or has left
   * the queue.
   */
  readonly turn: PromiseWithResolvers<Block | undefined>;
  stopTimer?: () => void;
  /** Undefined until the request may be sent. */
  sent?: SentRequest;
}

export const MAX_WAIT_MS = 30_000;

/**
 * Enforces the limits of one key. Requests wait in the order in which they arrived. A request that may be sent is
 * counted for all limits in one step; one that waits or leaves the queue is counted for none.
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

  /** Takes effect immediately, also for waiting requests. */
  set limits(limits: KeyLimits) {
    this.#limits = limits;
    this.#advance();
  }

  /** @param tokens an estimate of input and output tokens. */
  enter(tokens: number): QueuedRequest {
    const request: QueuedRequest = { tokens, turn: Promise.withResolvers() };
    this.#waiting.add(request);
    this.#advance();
    if (request.sent === undefined) request.stopTimer = this.#clock.after(MAX_WAIT_MS, () => this.#giveUp(request));
    return request;
  }

  /** Returns what a request waits for, or `undefined` if it does not wait. */
  blockOf(request: QueuedRequest): Block | undefined {
    const [first] = this.#waiting;
    if (first === undefined || !this.#waiting.has(request)) return undefined;
    return this.#shortage(request.tokens) ?? this.#shortage(first.tokens);
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

  /** Returns the remainders of the limits per minute. */
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

  /**
   * Admits requests in order until one is blocked. If that one only has to wait for time to pass, sets a timer to
   * continue.
   */
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
