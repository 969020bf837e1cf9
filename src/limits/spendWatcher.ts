import { isDeepStrictEqual } from 'node:util';
import { addDays, dayOf, startOfDay } from '../display/day.ts';

/** Exchanges come in bursts, so the sums are read once for all exchanges within this time. In milliseconds. */
const QUIET_MS = 1000;

export interface SpendWatcherOptions<Value> {
  readonly initial: Value;
  /** Reads the sums and sets the value derived from them. */
  readonly read: (set: (value: Value) => void) => Promise<void>;
  readonly onDidChange: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly quietMs?: number;
}

/** A value derived from the sums of the ledger, which are read again after exchanges and when a new day begins. */
export class SpendWatcher<Value> {
  readonly #options: SpendWatcherOptions<Value>;
  #value: Value;
  #quiet: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  /** The reads so far. A read that ends after a later one has nothing new. */
  #begun = 0;
  #read = 0;

  constructor(options: SpendWatcherOptions<Value>) {
    this.#options = options;
    this.#value = options.initial;
  }

  get value(): Value {
    return this.#value;
  }

  refreshSoon(): void {
    this.#quiet ??= setTimeout(() => this.refresh(), this.#options.quietMs ?? QUIET_MS);
  }

  /** Never rejects. On failure, the previous value stays. */
  async refresh(): Promise<void> {
    this.#stopTimers();
    this.#begun += 1;
    const read = this.#begun;
    try {
      await this.#options.read((value) => this.#set(value, read));
    } catch (error) {
      this.#options.onFailure(error);
    }
    this.#refreshAtMidnight();
  }

  dispose(): void {
    this.#stopTimers();
  }

  #stopTimers(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#midnight);
    this.#quiet = undefined;
  }

  #refreshAtMidnight(): void {
    clearTimeout(this.#midnight);
    const now = Date.now();
    this.#midnight = setTimeout(() => this.refresh(), startOfDay(addDays(dayOf(now), 1)) - now);
  }

  #set(value: Value, read: number): void {
    if (read < this.#read) return;
    this.#read = read;
    if (isDeepStrictEqual(value, this.#value)) return;
    this.#value = value;
    this.#options.onDidChange();
  }
}
