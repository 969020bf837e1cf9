import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { COLUMN_NAMES } from './columns.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import { type RowValues, valuesOf } from './row.ts';

/** Between the name of the ledger's file and the number of the process. */
export const PENDING_MARK = '.pending-';
/** A file of this size, in bytes, is rewritten with the lines that are still needed. */
const REWRITE_BYTES = 256 * 1024;
/** Rows are in the file this soon. A killed process loses only what was sent or has ended since. */
const SOON_MS = 5;
/** The first line: the columns of the others, because a later version may have others. */
const HEADER = `${JSON.stringify(COLUMN_NAMES)}\n`;

/**
 * The rows of one writer that are not in the ledger yet, in a file next to it. Appending a line takes some microseconds,
 * writing a row in a transaction of its own ten times as much. If the process is killed, the next one that opens or
 * reads the ledger enters them (`lostExchanges.ts`). The file exists from the first row on. No method throws: requests do
 * not depend on the file, so its errors are only reported.
 */
export class PendingRows {
  readonly #path: string;
  readonly #onProblem: (error: unknown) => void;
  /** What is not in the file yet: rows, and running exchanges whose rows are made when they are written. */
  readonly #unsaved = new Map<string, RowValues | (() => LedgerEntry)>();
  /** The lines in the file by the ID of their exchange. */
  readonly #lines = new Map<string, string>();
  #file: number | undefined;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ledger: string, onProblem: (error: unknown) => void) {
    this.#path = `${ledger}${PENDING_MARK}${process.pid}-${randomUUID()}`;
    this.#onProblem = onProblem;
  }

  /** Adds the row of an exchange within {@link SOON_MS}, unless it is settled before. Replaces an earlier one. */
  addSoon(id: string, row: RowValues | (() => LedgerEntry)): void {
    this.#unsaved.set(id, row);
    this.#timer ??= setTimeout(this.addNow, SOON_MS);
  }

  readonly addNow = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let text = '';
    for (const [id, row] of this.#unsaved) {
      const line = `${JSON.stringify(typeof row === 'function' ? valuesOf(row(), 'lost') : row)}\n`;
      this.#lines.set(id, line);
      text += line;
    }
    this.#unsaved.clear();
    if (text !== '') this.#guard(() => this.#append(text));
  };

  /** Called when the rows of these exchanges are in the ledger. */
  settle(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#unsaved.delete(id);
      this.#lines.delete(id);
    }
    if (this.#lines.size === 0 ? this.#bytes > 0 : this.#bytes > REWRITE_BYTES) this.#guard(() => this.#rewrite());
  }

  /** Removes the file, unless it is still needed. */
  close(): void {
    clearTimeout(this.#timer);
    this.#guard(() => {
      if (this.#file === undefined) return;
      closeSync(this.#file);
      this.#file = undefined;
      if (this.#lines.size === 0) rmSync(this.#path, { force: true });
    });
  }

  #append(text: string): void {
    this.#file ??= openSync(this.#path, 'a', 0o600);
    this.#bytes += writeSync(this.#file, this.#bytes === 0 ? HEADER + text : text);
  }

  #rewrite(): void {
    if (this.#file === undefined) return;
    ftruncateSync(this.#file);
    this.#bytes = 0;
    if (this.#lines.size > 0) this.#append([...this.#lines.values()].join(''));
  }

  #guard(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
