import { readFileSync } from 'node:fs';
import { errorText } from '../../display/errors.ts';
import { replacePrivateFileSync } from '../../files/privateFiles.ts';
import { isRecord, parseJson } from '../../formats/json.ts';
import type { Correction, Corrections } from './corrections.ts';

/** How long corrections wait before they are written. There is at most one report every two seconds. */
const DELAY_MS = 5_000;

/** The file in which a gateway with this ledger keeps its corrections. */
export function correctionsBeside(ledger: string): string {
  return `${ledger}.factors.json`;
}

/**
 * Saves corrections in a file, so that they survive a restart. If several processes share the file, the last one to
 * write wins, because each of them learns about the same models. A file that cannot be read or written only means that
 * the corrections are learned again.
 */
export class CorrectionsFile {
  readonly #path: string;
  readonly #corrections: Corrections;
  readonly #onProblem: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;

  /** Reads the file immediately, if it exists. */
  constructor(path: string, corrections: Corrections, onProblem: (message: string) => void) {
    this.#path = path;
    this.#corrections = corrections;
    this.#onProblem = onProblem;
    corrections.restore(this.#read());
  }

  /** Schedules a write after a correction has changed. */
  changed(): void {
    this.#timer ??= setTimeout(this.#write, DELAY_MS).unref();
  }

  /** Writes pending changes. */
  close(): void {
    if (this.#timer !== undefined) this.#write();
  }

  #read(): readonly (readonly [model: string, correction: Correction])[] {
    const kept = parseJson(this.#text());
    return isRecord(kept) ? Object.entries(kept).filter(isEntry) : [];
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch {
      // There are no corrections yet, or the file cannot be read. They are learned again.
      return '';
    }
  }

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      replacePrivateFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#corrections.entries())));
    } catch (error) {
      this.#onProblem(`Could not save the correction factors for token counts: ${errorText(error)}`);
    }
  };
}

function isEntry(entry: [string, unknown]): entry is [string, Correction] {
  const [, value] = entry;
  return isRecord(value) && Number.isFinite(value.factor) && Number.isSafeInteger(value.reports);
}
