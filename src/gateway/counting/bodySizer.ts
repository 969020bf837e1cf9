import type { ApiError } from '../../formats/apiError.ts';
import { WorkerClient } from '../../rpc/workerClient.ts';
import type { UncountedAnswer } from '../core/usageEstimator.ts';
import type { BodySize, SizeQuestion } from './bodySize.ts';

export type AnswerQuestion = Pick<UncountedAnswer, 'format' | 'isStream' | 'bytes'>;

export interface AnswerSize {
  readonly text: number;
}

/** Buffers arrive in a thread as plain arrays of bytes. */
export type ThreadQuestion =
  | (Omit<SizeQuestion, 'body'> & { readonly body: Uint8Array<ArrayBuffer> })
  | (Omit<AnswerQuestion, 'bytes'> & { readonly bytes: Uint8Array<ArrayBuffer> });
export type ThreadAnswer = BodySize | AnswerSize | ApiError;

/** Measures prompts and answers with a tokenizer in a separate thread, which starts with the first question. */
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
   * Measures the body's prompt, or returns the error if the body is invalid.
   * @throws if the thread cannot start or fails.
   */
  async size({ endpoint, model, body }: SizeQuestion): Promise<BodySize | ApiError> {
    // A copy, because the buffer is transferred and the body may share its memory with other data.
    const copy = new Uint8Array(body);
    return (await this.#thread.ask({ endpoint, model, body: copy }, [copy.buffer])) as BodySize | ApiError;
  }

  /** @throws if the thread cannot start or fails. */
  async sizeOfAnswer({ format, isStream, bytes }: AnswerQuestion): Promise<AnswerSize> {
    const copy = new Uint8Array(bytes);
    return (await this.#thread.ask({ format, isStream, bytes: copy }, [copy.buffer])) as AnswerSize;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
