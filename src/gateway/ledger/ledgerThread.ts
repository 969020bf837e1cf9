import { errorText } from '../../display/errorText.ts';
import { WorkerClient } from '../core/workerClient.ts';
import type { LedgerAnswer, LedgerQuestion } from './ledgerQuestion.ts';

/** If `answer` is undefined, the ledger could not be read, and `problem` contains the reason. */
export interface ReadAnswer {
  readonly answer?: LedgerAnswer;
  readonly problem?: string;
}

/** Reads ledgers in a separate thread, one query after the other. */
export class LedgerThread {
  readonly #thread = new WorkerClient<LedgerQuestion, ReadAnswer>({
    beside: import.meta.url,
    entry: 'readingThread',
    name: 'reading the ledger',
  });

  /** Never rejects: if the thread dies, returns a problem. */
  async read(question: LedgerQuestion): Promise<ReadAnswer> {
    try {
      return await this.#thread.ask(question);
    } catch (error) {
      return { problem: errorText(error) };
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
