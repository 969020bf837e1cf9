import type { LedgerEntry } from '../core/ledgerEntry.ts';
import { type ClientSession, hashSession } from '../core/sessionHash.ts';
import type { BalanceReading } from './balanceReadings.ts';
import { Ledger } from './ledger.ts';
import { LedgerError } from './sqlite.ts';

/** A gateway's exchange is written some seconds after its end at most: its prices are read first. In milliseconds. */
const LATEST_ENTRY_MS = 3_000;

/** What stands for a local key in the sessions of the editor's own calls. */
const EDITOR_SCOPE = 'editor';

/** The ledger as the editor itself writes it: its own calls and the readings of the balance, beside any gateway. */
export class CallLedger {
  readonly #onProblem: (message: string) => void;
  readonly #readings = new Set<() => void>();
  /** What was last said of the calls that go on, by their ids. */
  readonly #running = new Map<string, LedgerEntry>();
  #open: { readonly path: string; readonly ledger: Ledger } | undefined;
  /** A ledger that cannot be opened is said once. */
  #failedPath: string | undefined;

  /** @param onProblem called with why nothing is written, in words for a person. */
  constructor(onProblem: (message: string) => void) {
    this.#onProblem = onProblem;
  }

  /** A call that goes on, as it is now. Should its process die, it is entered like this, as lost. */
  begin(path: string, entry: LedgerEntry, session?: ClientSession): void {
    const ledger = this.#ledgerAt(path);
    const known = ledger === undefined ? entry : withSession(ledger, entry, session);
    this.#running.set(entry.id, known);
    ledger?.begin(entry.id, () => this.#running.get(entry.id) ?? known);
  }

  record(path: string, entry: LedgerEntry, session?: ClientSession): void {
    const hasBegun = this.#running.delete(entry.id);
    const ledger = this.#ledgerAt(path);
    ledger?.append(withSession(ledger, entry, session), hasBegun);
  }

  /** Writes the reading once all is written that it has paid. */
  recordBalance(path: string, reading: BalanceReading): void {
    const write = () => {
      clearTimeout(timer);
      this.#readings.delete(write);
      this.#ledgerAt(path)?.writeReading(reading);
    };
    const timer = setTimeout(write, LATEST_ENTRY_MS).unref();
    this.#readings.add(write);
  }

  /** Writes the calls that wait. */
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

function withSession(ledger: Ledger, entry: LedgerEntry, session: ClientSession | undefined): LedgerEntry {
  return session === undefined ? entry : { ...entry, ...hashSession(ledger.sessionKey, EDITOR_SCOPE, session) };
}
