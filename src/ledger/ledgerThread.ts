import { errorText } from '../display/errors.ts';
import { WorkerClient } from '../rpc/workerClient.ts';
import type { LedgerAnswer, LedgerQuestion } from './ledgerQuestion.ts';

/** If `answer` is undefined, the ledger could not be read, and `problem` contains the reason. */
export interface ReadAnswer {
  readonly answer?: LedgerAnswer;
  readonly problem?: string;
}

/** Sentences for the user about damaged files. */
export interface Warnings {
  readonly warnings: readonly string[];
}

/** Reads ledgers in a separate thread, one query after the other. */
export class LedgerThread {
  readonly #thread = new WorkerClient<LedgerQuestion, ReadAnswer & Warnings>({
    beside: import.meta.url,
    entry: 'readingThread',
    name: 'reading the ledger',
  });

  readonly #warn: (message: string) => void;

  /** @param warn called with a sentence for the user about each damaged file. */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Never rejects: if the thread dies, returns a problem. */
  async read(question: LedgerQuestion): Promise<ReadAnswer> {
    try {
      const { warnings, ...answer } = await this.#thread.ask(question);
      for (const warning of warnings) this.#warn(warning);
      return answer;
    } catch (error) {
      return { problem: errorText(error) };
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
