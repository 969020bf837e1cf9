/** Entry of the thread in which a ledger is read: sums of 100,000 exchanges take longer than a stream may wait. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../core/workerClient.ts';
import { answerQuestion, type LedgerQuestion } from './ledgerQuestion.ts';
import { LedgerReader } from './ledgerReader.ts';
import type { ReadAnswer } from './ledgerThread.ts';
import { LedgerError } from './sqlite.ts';

if (parentPort === null) throw new Error('readingThread.ts runs in a worker thread.');
const port = parentPort;

/** The ledger that was asked about last. It stays open as long as the thread runs, which ends when nobody asks. */
let open: { readonly path: string; readonly reader: LedgerReader } | undefined;

function readerOf(path: string): LedgerReader {
  if (open?.path === path) return open.reader;
  close();
  open = { path, reader: new LedgerReader(path) };
  return open.reader;
}

function close(): void {
  open?.reader.close();
  open = undefined;
}

function answer(question: LedgerQuestion): ReadAnswer {
  try {
    return { answer: answerQuestion(readerOf(question.asks.ledger), question) };
  } catch (error) {
    // A file that is in order again is opened anew.
    close();
    if (error instanceof LedgerError) return { problem: error.message };
    throw error;
  }
}

port.on('message', ({ id, content }: Numbered<LedgerQuestion>) => {
  port.postMessage({ id, content: answer(content) } satisfies Numbered<ReadAnswer>);
});
