import type { ApiError } from '../../formats/apiError.ts';
import type { UncountedAnswer } from '../core/usageEstimator.ts';
import { WorkerClient } from '../core/workerClient.ts';
import type { BodySize, SizeQuestion } from './bodySize.ts';

/** What came of an answer, to be sized up. */
export type AnswerQuestion = Pick<UncountedAnswer, 'format' | 'isStream' | 'bytes'>;

/** Tokens of all that could be seen of an answer. */
export interface AnswerSize {
  readonly text: number;
}

export type ThreadQuestion = SizeQuestion | AnswerQuestion;
export type ThreadAnswer = BodySize | AnswerSize | ApiError;

/** Sizes up prompts and answers with a tokenizer in a thread of its own, which starts at the first question. */
export class BodySizer {
  readonly #thread = new WorkerClient<ThreadQuestion, ThreadAnswer>({
    beside: import.meta.url,
    entry: 'sizeThread',
    name: 'token counting',
  });

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * What the body's prompt amounts to, or what is wrong with the body.
   * @throws when the thread cannot start or dies.
   */
  async size({ endpoint, model, body }: SizeQuestion): Promise<BodySize | ApiError> {
    // A copy of its own: the body may lie in memory that it shares with others.
    const copy = new Uint8Array(body);
    return (await this.#thread.ask({ endpoint, model, body: copy }, [copy.buffer])) as BodySize | ApiError;
  }

  /** @throws when the thread cannot start or dies. */
  async sizeOfAnswer({ format, isStream, bytes }: AnswerQuestion): Promise<AnswerSize> {
    const copy = new Uint8Array(bytes);
    return (await this.#thread.ask({ format, isStream, bytes: copy }, [copy.buffer])) as AnswerSize;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
