import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ApiError } from '../../formats/apiError.ts';
import type { BodySize, SizeQuestion } from './bodySize.ts';
import type { NumberedQuestion, NumberedSize } from './sizeThread.ts';

/** Beside this file, as source or as a bundle. */
const ENTRY = new URL(`./sizeThread${extname(import.meta.url)}`, import.meta.url);

/** A thread that nobody asks is ended and gives its memory back. */
const IDLE_MS = 5 * 60_000;

interface Waiting {
  readonly resolve: (size: BodySize | ApiError) => void;
  readonly reject: (error: Error) => void;
}

/** Sizes up prompts with a tokenizer in a thread of its own, which starts at the first question. */
export class BodySizer {
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /**
   * What the body's prompt amounts to, or what is wrong with the body.
   * @throws when the thread cannot start or dies.
   */
  size({ endpoint, model, body }: SizeQuestion): Promise<BodySize | ApiError> {
    this.#lastId += 1;
    const id = this.#lastId;
    // A copy of its own: the body may lie in memory that it shares with others.
    const copy = new Uint8Array(body);
    const question: NumberedQuestion = { id, endpoint, model, body: copy };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running().postMessage(question, [copy.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#end();
  }

  #running(): Worker {
    clearTimeout(this.#idle);
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(ENTRY, { name: 'token counting' });
    thread.on('message', this.#take);
    thread.once('error', (error) => this.#lost(thread, error));
    thread.once('exit', (code) => this.#lost(thread, new Error(`The counting thread ended with code ${code}.`)));
    thread.unref();
    this.#thread = thread;
    return thread;
  }

  readonly #take = ({ id, size }: NumberedSize): void => {
    this.#waiting.get(id)?.resolve(size);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  };

  #lost(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(error);
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (thread === undefined) return;
    this.#lost(thread, new Error('The gateway has closed.'));
    await thread.terminate();
  }
}
