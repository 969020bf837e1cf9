import type { LedgerEntry } from './ledgerEntry.ts';

/** Where exchanges are written, whatever keeps them: a file beside the gateway, or a database for many. */
export interface LedgerWriter {
  /**
   * An exchange is sent. Costs nothing now.
   * @param soFar what is known of it, with an estimate of what it has used, whenever somebody asks until its end.
   */
  begin(id: string, soFar: () => LedgerEntry): void;
  /** An exchange has ended; it replaces what was begun under its id. Costs nothing now, and never throws. */
  append(entry: LedgerEntry): void;
}
