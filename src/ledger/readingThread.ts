/** Entry point of the thread that reads ledgers. Summing up 100,000 exchanges would delay streams too long. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../rpc/workerClient.ts';
import { answerQuestion, type LedgerQuestion } from './ledgerQuestion.ts';
import { LedgerReader } from './ledgerReader.ts';
import type { ReadAnswer, Warnings } from './ledgerThread.ts';
import { LedgerError } from './sqlite.ts';

if (parentPort === null) throw new Error('readingThread.ts runs in a worker thread.');
const port = parentPort;

/** The ledger of the last query. Stays open until the thread ends, which it does when idle. */
let open: { readonly path: string; readonly reader: LedgerReader } | undefined;

/** What the current query has to report. */
let warnings: string[] = [];

function readerOf(path: string): LedgerReader {
  if (open?.path === path) return open.reader;
  close();
  open = { path, reader: new LedgerReader(path, (message) => warnings.push(message)) };
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
    // Reopens the file with the next query, in case it has been repaired by then.
    close();
    if (error instanceof LedgerError) return { problem: error.message };
    throw error;
  }
}

port.on('message', ({ id, content }: Numbered<LedgerQuestion>) => {
  warnings = [];
  port.postMessage({ id, content: { ...answer(content), warnings } } satisfies Numbered<ReadAnswer & Warnings>);
});
