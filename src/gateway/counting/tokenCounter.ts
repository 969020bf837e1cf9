import { errorText } from '../../display/errors.ts';
import type { ApiError } from '../../formats/apiError.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { Accuracy } from '../../rules/exchange.ts';
import { familyOf } from '../../tokens/modelFamily.ts';
import { estimateTokens } from '../../tokens/textEstimate.ts';
import { answerText } from '../core/answerText.ts';
import type { UncountedAnswer, UncountedRequest, UsageEstimator } from '../core/usageEstimator.ts';
import { type BodySize, type SizeQuestion, sizeOfBody } from './bodySize.ts';
import { BodySizer } from './bodySizer.ts';
import { Corrections } from './corrections.ts';
import { CorrectionsFile } from './correctionsFile.ts';

export interface CountQuestion extends SizeQuestion {
  /** The ID of the upstream. Servers may use the same name for different models. */
  readonly upstream: string;
}

export interface LocalTokenCount {
  readonly tokens: number;
  /** Whether the count comes from the model family's own tokenizer and covers nothing but text. */
  readonly isExact: boolean;
  /** The model's tokens for each token of o200k. */
  readonly factor: number;
}

/** If reports deviate more than this, the public tokenizer is not considered the model's own anymore. */
const TOLERANCE = 0.02;
/** For a body that is not understood. */
const BYTES_PER_TOKEN = 4;
/** In shorter prompts, the text around them counts for more than the difference between tokenizers. */
const MIN_TELLING_TEXT = 200;

/**
 * Counts the input tokens of requests for upstreams that cannot, and learns from the usage that they report afterwards.
 */
export class TokenCounter implements UsageEstimator {
  readonly #sizer = new BodySizer();
  readonly #corrections = new Corrections();
  readonly #onProblem: (message: string) => void;
  #file: CorrectionsFile | undefined;
  /** Whether anybody has asked for a count since the start. A field, because each exchange reads it. */
  isInUse = false;

  /** @param onProblem called if the tokenizer is not available or the corrections cannot be saved. */
  constructor(onProblem: (message: string) => void = () => undefined) {
    this.#onProblem = onProblem;
  }

  /** Reads the corrections from this file immediately, and saves new ones to it. */
  keepIn(path: string): void {
    this.#file?.close();
    this.#file = new CorrectionsFile(path, this.#corrections, this.#onProblem);
  }

  /** Whether the thread is running because of a recent count, so that a further count does not need to start it. */
  get isAwake(): boolean {
    return this.#sizer.isRunning;
  }

  /** Returns the input tokens of a request, at least 1, or the error if its body is invalid. */
  async count(question: CountQuestion): Promise<LocalTokenCount | ApiError> {
    const size = await this.#size(question);
    if ('kind' in size) return size;
    const { factor, isOwn } = this.#factor(question);
    const tokens = Math.max(1, Math.ceil(size.text * factor + size.fixed));
    return { tokens, isExact: isOwn && size.isPlain, factor };
  }

  /** Compares our count of a request with the upstream's. */
  async learn(question: CountQuestion, inputTokens: number): Promise<void> {
    const size = await this.#sizer.size(question);
    if ('kind' in size || !size.isWhole || size.text < MIN_TELLING_TEXT || size.fixed > size.text) return;
    const before = familyOf(question.model).factor;
    const { factor } = this.#factor(question);
    const error = Math.abs((size.text * factor + size.fixed) / inputTokens - 1);
    this.#corrections.report(keyOf(question), (inputTokens - size.fixed) / size.text, before, error);
    this.#file?.changed();
  }

  /**
   * Counts the input of a request whose answer reported no usage. A body that is not understood counts by its length.
   */
  async input(request: UncountedRequest): Promise<number> {
    const count = await this.count(request);
    return 'kind' in count ? Math.ceil(request.body.length / BYTES_PER_TOKEN) : count.tokens;
  }

  async output(answer: UncountedAnswer): Promise<number> {
    const { factor } = this.#factor(answer);
    return Math.ceil((await this.#seen(answer)) * factor);
  }

  /**
   * Returns the recent deviation of our counts from the reports of the model's upstream. Undefined if there were none.
   */
  accuracy(model: CountedModel): Accuracy | undefined {
    return this.#corrections.accuracy(keyOf(model));
  }

  async close(): Promise<void> {
    this.#file?.close();
    await this.#sizer.close();
  }

  /** Falls back to an estimate if the tokenizer fails. */
  async #size(question: CountQuestion): Promise<BodySize | ApiError> {
    this.isInUse = true;
    try {
      return await this.#sizer.size(question);
    } catch (error) {
      const reason = errorText(error);
      this.#onProblem(`Tokens are estimated without a tokenizer, because it failed: ${reason}`);
      const size = sizeOfBody(question, estimateTokens);
      return 'kind' in size ? size : { ...size, isPlain: false };
    }
  }

  async #seen(answer: UncountedAnswer): Promise<number> {
    this.isInUse = true;
    try {
      return (await this.#sizer.sizeOfAnswer(answer)).text;
    } catch (error) {
      this.#onProblem(`Tokens are estimated without a tokenizer, because it failed: ${errorText(error)}`);
      return estimateTokens(answerText(answer));
    }
  }

  #factor(question: CountedModel): { readonly factor: number; readonly isOwn: boolean } {
    const { factor: before, isPublic } = familyOf(question.model);
    const learned = this.#corrections.find(keyOf(question));
    const isOwn = isPublic && (learned === undefined || Math.abs(learned.factor - 1) <= TOLERANCE);
    return { factor: isOwn ? 1 : (learned?.factor ?? before), isOwn };
  }
}

function keyOf({ upstream, model }: CountedModel): string {
  return `${upstream}/${model}`;
}
