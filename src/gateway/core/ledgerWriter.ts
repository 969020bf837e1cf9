import type { LedgerEntry } from './ledgerEntry.ts';

/** Writes exchanges to a file next to the gateway, or to a database for several gateways. */
export interface LedgerWriter {
  /**
   * Queues an exchange that is sent, without waiting for the write.
   * @param soFar returns what is known about it, with an estimate of its usage. May be called at any time until it
   * ends.
   */
  begin(id: string, soFar: () => LedgerEntry): void;
  /**
   * Queues an exchange that has ended, without waiting for the write. It replaces the running exchange with its ID.
   * Never throws.
   */
  append(entry: LedgerEntry): void;
}
