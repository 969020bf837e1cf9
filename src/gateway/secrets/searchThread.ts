import { WorkerClient } from '../../rpc/workerClient.ts';
import type { SealAnswer } from '../../secrets/sealAnswer.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';

/** A body whose secrets are to be replaced. */
export interface SealQuestion {
  readonly body: Uint8Array;
  /** The secret of this installation from which stand-ins are made. */
  readonly key: Uint8Array;
  /** Secrets that are sought in addition to what the rules find. */
  readonly known: readonly KnownSecret[];
  /** The positions of the texts in a body that is not JSON. */
  readonly fields?: readonly (readonly [start: number, end: number])[] | undefined;
}

/** A body in which kinds of secrets are sought, or replaced. */
export type SearchQuestion = Uint8Array | SealQuestion;

/** Undefined if the body could not be read. */
export type SearchAnswer = readonly string[] | SealAnswer | undefined;

/** The rules take 20 ms per megabyte. A search that takes longer than this is aborted by ending its thread. */
const MAX_SEARCH_MS = 10_000;

/** The thread in which bodies are searched, so that the search delays no stream. */
export class SearchThread {
  readonly #thread: WorkerClient<SearchQuestion, SearchAnswer>;

  /** @param beside the URL of a script that is in the same folder as that of the thread. */
  constructor(beside: string = import.meta.url) {
    this.#thread = new WorkerClient({ beside, entry: 'secretThread', name: 'secret search', maxMs: MAX_SEARCH_MS });
  }

  /** Returns the kinds of secrets in a body. @throws if it could not be searched. */
  async kindsIn(body: Uint8Array): Promise<readonly string[]> {
    const copy = new Uint8Array(body);
    return (await this.#ask(copy, copy)) as readonly string[];
  }

  /** @returns undefined if nobody can say what the body contains. @throws if it could not be searched. */
  async seal(question: SealQuestion): Promise<SealAnswer | undefined> {
    const body = new Uint8Array(question.body);
    return (await this.#ask({ ...question, body }, body)) as SealAnswer | undefined;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** @param body a copy, because a part of a shared buffer cannot be transferred. */
  #ask(question: SearchQuestion, body: Uint8Array<ArrayBuffer>): Promise<SearchAnswer> {
    return this.#thread.ask(question, [body.buffer]);
  }
}
