import type { ApiError } from '../../formats/apiError.ts';
import { WorkerClient } from '../core/workerClient.ts';
import type { BodySize, SizeQuestion } from './bodySize.ts';

/** Sizes up prompts with a tokenizer in a thread of its own, which starts at the first question. */
export class BodySizer {
  readonly #thread = new WorkerClient<SizeQuestion, BodySize | ApiError>({
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
  size({ endpoint, model, body }: SizeQuestion): Promise<BodySize | ApiError> {
    // A copy of its own: the body may lie in memory that it shares with others.
    const copy = new Uint8Array(body);
    return this.#thread.ask({ endpoint, model, body: copy }, [copy.buffer]);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
