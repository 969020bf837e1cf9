import { extname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { RpcClient } from './rpcClient.ts';

/** A thread that receives no questions for this time is terminated, which frees its memory. */
const IDLE_MS = 5 * 60_000;

export interface Numbered<Content> {
  readonly id: number;
  readonly content: Content;
}

export interface WorkerClientOptions {
  /** The URL of the module that uses the thread. The thread's entry is next to it, as a source file or as a bundle. */
  readonly beside: string;
  /** Name of the thread's entry file, without its extension. */
  readonly entry: string;
  /** Shown in lists of the process's threads. */
  readonly name: string;
  /**
   * A question that takes longer ends the thread. The time does not include the start of the thread, which may be long on
   * a busy machine, so the thread has to send a message with ID 0 when it has loaded.
   */
  readonly maxMs?: number;
}

interface Transfer<Content> {
  readonly content: Content;
  readonly transferred: readonly Transferable[];
}

/**
 * Answers questions in a separate thread, so that no stream waits for the work. The thread starts with the first
 * question. It receives and sends {@link Numbered} messages.
 */
export class WorkerClient<Question, Answer> {
  readonly #options: WorkerClientOptions;
  readonly #client = new RpcClient<Transfer<Question>, Answer>({
    send: (id, { content, transferred }) =>
      this.#running().postMessage({ id, content } satisfies Numbered<Question>, transferred),
  });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #limit: NodeJS.Timeout | undefined;
  /** Whether the thread has loaded. */
  #isReady = false;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** @throws if the thread cannot start or fails. */
  ask(content: Question, transferred: readonly Transferable[] = []): Promise<Answer> {
    const isFirst = this.#client.isIdle;
    const answer = this.#client.call({ content, transferred });
    if (isFirst && this.#isReady) this.#limitTime();
    return answer;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (thread === undefined) return;
    this.#lost(thread, new Error('The gateway has closed.'));
    await thread.terminate();
  }

  #running(): Worker {
    clearTimeout(this.#idle);
    if (this.#thread !== undefined) return this.#thread;
    const { beside, entry, name } = this.#options;
    const thread = new Worker(new URL(`./${entry}${extname(beside)}`, beside), { name });
    thread.on('message', this.#take);
    thread.once('error', (error) => this.#lost(thread, error));
    thread.once('exit', (code) => this.#lost(thread, new Error(`The thread of ${name} ended with code ${code}.`)));
    thread.unref();
    this.#thread = thread;
    return thread;
  }

  readonly #take = ({ id, content }: Numbered<Answer>): void => {
    this.#isReady = true;
    this.#client.receive(id, content);
    clearTimeout(this.#limit);
    if (!this.#client.isIdle) this.#limitTime();
    else this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  };

  #limitTime(): void {
    const { maxMs, name } = this.#options;
    const thread = this.#thread;
    if (maxMs === undefined || thread === undefined) return;
    this.#limit = setTimeout(() => {
      this.#lost(thread, new Error(`The thread of ${name} took longer than ${maxMs} ms.`));
      void thread.terminate();
    }, maxMs);
  }

  #lost(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#isReady = false;
    clearTimeout(this.#limit);
    this.#client.fail(error);
  }
}
