import type { Refusal } from '../core/refusal.ts';

const REPORT_MS = 60_000;
const OTHER = 'other reasons';

/**
 * Counts the requests that were refused before their sender was known. Anybody on this machine, and any web page in its
 * browser, can send such a request, so none of them may leave anything behind: no record, no row, no trace. They are
 * told as one line a minute at most, the first of them at once.
 */
export class RefusedCallers {
  readonly #report: (message: string) => void;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  count({ reason = OTHER }: Refusal): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (this.#timer === undefined) this.#tell();
  }

  /** Tells what has not been told yet. */
  close(): void {
    if (this.#counts.size > 0) this.#tell();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #tell(): void {
    const counts = [...this.#counts].map(([reason, count]) => `${count} × ${reason}`);
    this.#counts.clear();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#goOn(), REPORT_MS).unref();
    this.#report(`Refused before authentication: ${counts.join(', ')}.`);
  }

  #goOn(): void {
    this.#timer = undefined;
    if (this.#counts.size > 0) this.#tell();
  }
}
