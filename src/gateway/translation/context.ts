import type { ChatRequest } from '../../formats/conversation.ts';
import type { AnswerContext } from '../../formats/wireFormat.ts';
import { estimateRequestTokens } from '../../tokens/estimate.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';

/** The context that encoders need. The prompt's tokens are only estimated if an encoder reads them. */
export class TranslationContext implements AnswerContext {
  readonly request: ChatRequest;
  readonly #textBytes: number;
  #inputTokens: number | undefined;

  /** @param textBytes length of the texts of which the request has only references. */
  constructor(request: ChatRequest, textBytes = 0) {
    this.request = request;
    this.#textBytes = textBytes;
  }

  get now(): number {
    return Math.floor(Date.now() / 1000);
  }

  get inputTokens(): number {
    this.#inputTokens ??= estimateRequestTokens(this.request) + Math.ceil(this.#textBytes / BYTES_PER_TOKEN);
    return this.#inputTokens;
  }
}
