import { errorText } from '../../display/errorText.ts';
import type { ApiError } from '../../formats/apiError.ts';
import { familyOf } from '../../tokens/modelFamily.ts';
import { estimateTokens } from '../../tokens/textEstimate.ts';
import { answerText } from '../core/answerText.ts';
import type {
  Accuracy,
  CountedModel,
  UncountedAnswer,
  UncountedRequest,
  UsageEstimator,
} from '../core/usageEstimator.ts';
import { type BodySize, type SizeQuestion, sizeOfBody } from './bodySize.ts';
import { BodySizer } from './bodySizer.ts';
import { Corrections } from './corrections.ts';
import { CorrectionsFile } from './correctionsFile.ts';

/** A prompt, and whose model it is for. */
export interface CountQuestion extends SizeQuestion {
  /** The id of the upstream: servers may give one name to different models. */
  readonly upstream: string;
}

export interface TokenCount {
  readonly tokens: number;
  /** Whether it is the family's own tokenizer over nothing but text. */
  readonly isExact: boolean;
  /** The model's tokens for one of o200k. */
  readonly factor: number;
}

/** How far reports may be off before a public tokenizer is not taken for the model's own any more. */
const TOLERANCE = 0.02;
/** Of a body that is not understood. */
const BYTES_PER_TOKEN = 4;
/** Shorter prompts say more about what is around them than about the tokenizer. */
const MIN_TELLING_TEXT = 200;

/** Counts the input tokens of requests for upstreams that do not, and learns from what they report afterwards. */
export class TokenCounter implements UsageEstimator {
  readonly #sizer = new BodySizer();
  readonly #corrections = new Corrections();
  readonly #onProblem: (message: string) => void;
  #file: CorrectionsFile | undefined;

  /** @param onProblem called when the tokenizer cannot be had. */
  constructor(onProblem: (message: string) => void = () => undefined) {
    this.#onProblem = onProblem;
  }

  /** Reads at once what was learnt before, and keeps in this file what is learnt from now on. */
  keepIn(path: string): void {
    this.#file?.close();
    this.#file = new CorrectionsFile(path, this.#corrections, this.#onProblem);
  }

  /** Whether somebody has asked lately, so that a count costs no start. */
  get isAwake(): boolean {
    return this.#sizer.isRunning;
  }

  /** The input tokens of a request, at least 1, or what is wrong with its body. */
  async count(question: CountQuestion): Promise<TokenCount | ApiError> {
    const size = await this.#size(question);
    if ('kind' in size) return size;
    const { factor, isOwn } = this.#factor(question);
    const tokens = Math.max(1, Math.ceil(size.text * factor + size.fixed));
    return { tokens, isExact: isOwn && size.isPlain, factor };
  }

  /** Compares our count of a request with what the upstream says it was. */
  async learn(question: CountQuestion, inputTokens: number): Promise<void> {
    const size = await this.#sizer.size(question);
    if ('kind' in size || !size.isWhole || size.text < MIN_TELLING_TEXT || size.fixed > size.text) return;
    const before = familyOf(question.model).factor;
    const { factor } = this.#factor(question);
    const error = Math.abs((size.text * factor + size.fixed) / inputTokens - 1);
    this.#corrections.report(keyOf(question), (inputTokens - size.fixed) / size.text, before, error);
    this.#file?.changed();
  }

  /** Of a request whose answer did not say it. A body that is not understood counts by its length. */
  async input(request: UncountedRequest): Promise<number> {
    const count = await this.count(request);
    return 'kind' in count ? Math.ceil(request.body.length / BYTES_PER_TOKEN) : count.tokens;
  }

  /** Of all that could be seen of an answer. */
  async output(answer: UncountedAnswer): Promise<number> {
    const { factor } = this.#factor(answer);
    return Math.ceil((await this.#seen(answer)) * factor);
  }

  /** How far our counts were from what the model's upstream reported, lately; absent when it has reported nothing. */
  accuracy(model: CountedModel): Accuracy | undefined {
    return this.#corrections.accuracy(keyOf(model));
  }

  async close(): Promise<void> {
    this.#file?.close();
    await this.#sizer.close();
  }

  /** Without the tokenizer there is still the estimate. */
  async #size(question: CountQuestion): Promise<BodySize | ApiError> {
    try {
      return await this.#sizer.size(question);
    } catch (error) {
      const reason = errorText(error);
      this.#onProblem(`Tokens are estimated without a tokenizer, since it failed: ${reason}`);
      const size = sizeOfBody(question, estimateTokens);
      return 'kind' in size ? size : { ...size, isPlain: false };
    }
  }

  async #seen(answer: UncountedAnswer): Promise<number> {
    try {
      return (await this.#sizer.sizeOfAnswer(answer)).text;
    } catch (error) {
      this.#onProblem(`Tokens are estimated without a tokenizer, since it failed: ${errorText(error)}`);
      return estimateTokens(answerText(answer));
    }
  }

  #factor(question: CountedModel): { readonly factor: number; readonly isOwn: boolean } {
    const { factor: before, isPublic } = familyOf(question.model);
    const learnt = this.#corrections.find(keyOf(question));
    const isOwn = isPublic && (learnt === undefined || Math.abs(learnt.factor - 1) <= TOLERANCE);
    return { factor: isOwn ? 1 : (learnt?.factor ?? before), isOwn };
  }
}

function keyOf({ upstream, model }: CountedModel): string {
  return `${upstream}/${model}`;
}
