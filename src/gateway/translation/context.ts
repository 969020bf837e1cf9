import type { ChatRequest } from '../../formats/conversation.ts';
import type { AnswerContext } from '../../formats/wireFormat.ts';
import { estimateRequestTokens } from '../../tokens/estimate.ts';

/** The context that encoders need. The prompt's tokens are only estimated if an encoder reads them. */
export class TranslationContext implements AnswerContext {
  readonly request: ChatRequest;
  #inputTokens: number | undefined;

  constructor(request: ChatRequest) {
    this.request = request;
  }

  get now(): number {
    return Math.floor(Date.now() / 1000);
  }

  get inputTokens(): number {
    this.#inputTokens ??= estimateRequestTokens(this.request);
    return this.#inputTokens;
  }
}
