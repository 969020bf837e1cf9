import type { Refusal } from '../core/refusal.ts';

const REPORT_MS = 60_000;
const OTHER = 'other reasons';

/** Limits the memory that a client with thousands of addresses can use. Further addresses are counted together. */
const MAX_ADDRESSES = 100;
const SHOWN_ADDRESSES = 3;

class CallerCounts {
  readonly #byAddress = new Map<string, number>();
  total = 0;

  add(address: string | undefined): void {
    this.total += 1;
    if (address === undefined) return;
    const before = this.#byAddress.get(address);
    if (before === undefined && this.#byAddress.size === MAX_ADDRESSES) return;
    this.#byAddress.set(address, (before ?? 0) + 1);
  }

  /** Returns text such as ` (9 from 10.0.0.7, 3 from elsewhere)`, or an empty string if all came from this machine. */
  text(): string {
    const shown = [...this.#byAddress].sort(([, one], [, other]) => other - one).slice(0, SHOWN_ADDRESSES);
    if (shown.length === 0) return '';
    const others = this.total - shown.reduce((sum, [, count]) => sum + count, 0);
    const parts = shown.map(([address, count]) => `${count} from ${address}`);
    return ` (${[...parts, ...(others > 0 ? [`${others} from elsewhere`] : [])].join(', ')})`;
  }
}

/**
 * Counts the requests that were refused before their sender was known. Any program on this machine, and any web page in
 * its browser, can send such requests, so they create no record, no row, and no trace. They are reported in at most one
 * line per minute; the first is reported immediately.
 */
export class RefusedCallers {
  readonly #report: (message: string) => void;
  readonly #counts = new Map<string, CallerCounts>();
  #timer: NodeJS.Timeout | undefined;

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  /** @param address of a caller on another machine. */
  count({ reason = OTHER }: Pick<Refusal, 'reason'>, address?: string): void {
    const counts = this.#counts.get(reason) ?? new CallerCounts();
    this.#counts.set(reason, counts);
    counts.add(address);
    if (this.#timer === undefined) this.#notify();
  }

  /** Reports the refusals that have not been reported yet. */
  close(): void {
    if (this.#counts.size > 0) this.#notify();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #notify(): void {
    const counts = [...this.#counts].map(([reason, counts]) => `${counts.total} × ${reason}${counts.text()}`);
    this.#counts.clear();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#goOn(), REPORT_MS).unref();
    this.#report(`Refused before authentication: ${counts.join(', ')}.`);
  }

  #goOn(): void {
    this.#timer = undefined;
    if (this.#counts.size > 0) this.#notify();
  }
}
