import type * as vscode from 'vscode';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { CountedTokens } from '../tokens/serviceTokenCounter.ts';

/** Agent mode counts every piece of its prompt: what is not there by then is estimated. In milliseconds. */
const PATIENCE_MS = 500;
/** Questions to the service at once; further pieces are estimated. */
const MAX_AT_ONCE = 4;
/**
 * Smaller pieces are estimated. Agent mode counts some five thousand of them for each question, most of a word or two and
 * one after the other, and in a question of its own each would cost what the format puts around a message.
 */
const MIN_ASKED = 200;

/** Counts tokens, quickly above all. */
export interface Counter {
  /** At once: a cached count, or an estimate. */
  estimate(request: ChatRequest): CountedTokens;
  /** The service's count; throws when the signal is aborted. */
  count(request: ChatRequest, signal: AbortSignal): Promise<CountedTokens>;
}

/**
 * The size of prompts for the editor's chat: the service's count where it is known, or comes at once for a piece that is
 * worth a question; else the local estimate. A count that comes too late is there for the next question.
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
