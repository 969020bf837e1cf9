import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { COLUMN_NAMES, type RowValues } from './row.ts';

/** The row of an exchange. */
export interface ExchangeRow {
  readonly id: string;
  readonly values: RowValues;
}

/** Between the name of the ledger's file and the number of the process. */
export const PENDING_MARK = '.pending-';
/** A file of this size, in bytes, is rewritten with the lines that are still needed. */
const REWRITE_BYTES = 256 * 1024;
/** The first line: the columns of the others, because a later version may have others. */
const HEADER = `${JSON.stringify(COLUMN_NAMES)}\n`;

/**
 * The rows of one writer that are not in the ledger yet, in a file next to it. Appending a line takes some microseconds,
 * writing a row in a transaction of its own ten times as much. If the process is killed, the next one that opens or
 * reads the ledger enters them (`lostExchanges.ts`). The file exists from the first row on.
 */
export class PendingRows {
  readonly #path: string;
  /** The lines by the ID of their exchange. */
  readonly #lines = new Map<string, string>();
  #file: number | undefined;
  #bytes = 0;

  constructor(ledger: string) {
    this.#path = `${ledger}${PENDING_MARK}${process.pid}-${randomUUID()}`;
  }

  /**
   * Adds rows, which replace those of the same exchanges.
   * @throws if the file cannot be written.
   */
  add(rows: readonly ExchangeRow[]): void {
    let text = '';
    for (const { id, values } of rows) {
      const line = `${JSON.stringify(values)}\n`;
      this.#lines.set(id, line);
      text += line;
    }
    if (text !== '') this.#append(text);
  }

  /**
   * Called when these rows are in the ledger.
   * @throws if the file cannot be written.
   */
  settle(ids: Iterable<string>): void {
    for (const id of ids) this.#lines.delete(id);
    if (this.#lines.size === 0 ? this.#bytes > 0 : this.#bytes > REWRITE_BYTES) this.#rewrite();
  }

  /** Removes the file, unless it is still needed. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (this.#lines.size === 0) rmSync(this.#path, { force: true });
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
}
