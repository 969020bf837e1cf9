import type { MeasuredContext, MeasuredPart } from '../rules/contextPart.ts';
import type { BalanceReading } from './balanceReadings.ts';
import { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import { type ClientSession, hashFile, hashSession } from './sessionHash.ts';
import { LedgerError } from './sqlite.ts';

/**
 * A gateway reads prices before it writes an exchange, which it does at most a few seconds after the end. In
 * milliseconds.
 */
const LATEST_ENTRY_MS = 3_000;

/** Used in place of a local key's ID for the sessions of the editor's own requests. */
const EDITOR_SCOPE = 'editor';

/** The ledger as the editor writes it, independently of any gateway: its own requests and the balance readings. */
export class CallLedger {
  readonly #onProblem: (message: string) => void;
  readonly #readings = new Set<() => void>();
  /** The latest entry of each running request, by its ID. */
  readonly #running = new Map<string, LedgerEntry>();
  #open: { readonly path: string; readonly ledger: Ledger } | undefined;
  /** A ledger that cannot be opened is reported once. */
  #failedPath: string | undefined;

  /** @param onProblem called with a message for the user when something cannot be written. */
  constructor(onProblem: (message: string) => void) {
    this.#onProblem = onProblem;
  }

  /**
   * Records the current state of a running request. If its process ends unexpectedly, the request is entered with this
   * state, as lost.
   */
  begin(path: string, entry: LedgerEntry, session?: ClientSession): void {
    const ledger = this.#ledgerAt(path);
    const known = ledger === undefined ? entry : withSession(ledger, entry, session);
    this.#running.set(entry.id, known);
    ledger?.begin(entry.id, () => this.#running.get(entry.id) ?? known);
  }

  record(path: string, entry: LedgerEntry, session?: ClientSession): void {
    const hasBegun = this.#running.delete(entry.id);
    const ledger = this.#ledgerAt(path);
    ledger?.append(withSession(ledger, entry, session), { hasRow: hasBegun });
  }

  /**
   * Adds what a request consists of to its record, with hashes of files.
   * @param keepsNames whether it has their names, too.
   */
  addContext(path: string, entry: LedgerEntry, { parts, ...context }: MeasuredContext, keepsNames: boolean): void {
    const ledger = this.#ledgerAt(path);
    ledger?.addContext(entry, { ...context, parts: parts.map((part) => hashed(part, ledger.sessionKey, keepsNames)) });
  }

  /** Writes the reading after all exchanges that were charged before it. */
  recordBalance(path: string, reading: BalanceReading): void {
    const write = () => {
      clearTimeout(timer);
      this.#readings.delete(write);
      this.#ledgerAt(path)?.writeReading(reading);
    };
    const timer = setTimeout(write, LATEST_ENTRY_MS).unref();
    this.#readings.add(write);
  }

  flush(): void {
    this.#open?.ledger.flush();
  }

  close(): void {
    for (const write of [...this.#readings]) write();
    this.#open?.ledger.close();
    this.#open = undefined;
  }

  #ledgerAt(path: string): Ledger | undefined {
    if (this.#open?.path === path) return this.#open.ledger;
    if (this.#failedPath === path) return undefined;
    this.#open?.ledger.close();
    this.#open = undefined;
    try {
      const ledger = new Ledger({ path, onProblem: ({ message }) => this.#onProblem(message) });
      this.#open = { path, ledger };
      return ledger;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      this.#failedPath = path;
      this.#onProblem(error.message);
      return undefined;
    }
  }
}

function hashed(part: MeasuredPart, key: Uint8Array, keepsNames: boolean): MeasuredPart {
  const { fileName, ...rest } = part;
  return fileName === undefined ? part : { ...(keepsNames ? part : rest), file: hashFile(key, fileName) };
}

function withSession(ledger: Ledger, entry: LedgerEntry, session: ClientSession | undefined): LedgerEntry {
  return session === undefined ? entry : { ...entry, ...hashSession(ledger.sessionKey, EDITOR_SCOPE, session) };
}
