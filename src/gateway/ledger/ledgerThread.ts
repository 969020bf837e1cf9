import { errorText } from '../../display/errorText.ts';
import { WorkerClient } from '../core/workerClient.ts';
import type { LedgerAnswer, LedgerQuestion } from './ledgerQuestion.ts';

/** Without an answer the ledger could not be read, and `problem` says why. */
export interface ReadAnswer {
  readonly answer?: LedgerAnswer;
  readonly problem?: string;
}

/** Reads ledgers in a thread of its own, one question after the other. */
export class LedgerThread {
  readonly #thread = new WorkerClient<LedgerQuestion, ReadAnswer>({
    beside: import.meta.url,
    entry: 'readingThread',
    name: 'reading the ledger',
  });

  /** Never rejects: a thread that has died is a problem too. */
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
