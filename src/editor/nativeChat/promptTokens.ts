import type * as vscode from 'vscode';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { CountedTokens } from '../tokens/serviceTokenCounter.ts';

/**
 * Agent mode counts every piece of its prompt. A count that takes longer is replaced by an estimate. In milliseconds.
 */
const PATIENCE_MS = 500;
/** The maximum number of concurrent count requests. Further pieces are estimated. */
const MAX_AT_ONCE = 4;
/**
 * Pieces with fewer tokens are estimated. Agent mode counts about five thousand of them for each question, one at a
 * time and mostly a word or two long. Counted alone, each would include the overhead of a message.
 */
const MIN_ASKED = 200;

/** A token counter with a fast estimate. */
export interface Counter {
  /** Returns immediately with a cached count or an estimate. */
  estimate(request: ChatRequest): CountedTokens;
  /**
   * Returns the service's count.
   * @throws if the signal is aborted.
   */
  count(request: ChatRequest, signal: AbortSignal): Promise<CountedTokens>;
}

/**
 * The size of prompts for the editor's chat: the service's count if it is cached, or arrives in time for a piece large
 * enough to ask for; otherwise the local estimate. A count that arrives late is cached for the next request.
 */
export class PromptTokens {
  readonly #counter: Counter;
  #running = 0;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  async count(request: ChatRequest, token: vscode.CancellationToken): Promise<number> {
    const known = this.#counter.estimate(request);
    const isNothing = request.messages.length === 0 && request.system.length === 0;
    if (isNothing) return 0;
    const isAsked = known.estimated && known.tokens >= MIN_ASKED && this.#running < MAX_AT_ONCE;
    if (!isAsked || token.isCancellationRequested) return known.tokens;
    const late = Promise.withResolvers<number>();
    const timer = setTimeout(() => late.resolve(known.tokens), PATIENCE_MS);
    try {
      return await Promise.race([this.#ask(request), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Never fails: the counter falls back to its estimate. */
  async #ask(request: ChatRequest): Promise<number> {
    this.#running += 1;
    try {
      return (await this.#counter.count(request, AbortSignal.timeout(30_000))).tokens;
    } catch {
      return this.#counter.estimate(request).tokens;
    } finally {
      this.#running -= 1;
    }
  }
}
