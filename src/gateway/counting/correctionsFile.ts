import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../display/errorText.ts';
import { isRecord } from '../../formats/json.ts';
import { parseJson } from '../../service/json.ts';
import type { Correction, Corrections } from './corrections.ts';

/** How long what was learnt waits: reports come one every two seconds at most. */
const DELAY_MS = 5_000;

/** Where what was learnt is kept by a gateway with this ledger. */
export function correctionsBeside(ledger: string): string {
  return `${ledger}.factors.json`;
}

/**
 * Keeps corrections in a file, so that they outlive the gateway. Where several processes have the same, the last to write
 * is believed: each of them learns of the same models. What cannot be read or written is learnt anew.
 */
export class CorrectionsFile {
  readonly #path: string;
  readonly #corrections: Corrections;
  readonly #onProblem: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;

  /** Reads the file at once, if there is one. */
  constructor(path: string, corrections: Corrections, onProblem: (message: string) => void) {
    this.#path = path;
    this.#corrections = corrections;
    this.#onProblem = onProblem;
    corrections.restore(this.#read());
  }

  /** Something was learnt. */
  changed(): void {
    this.#timer ??= setTimeout(this.#write, DELAY_MS).unref();
  }

  /** Writes what waits. */
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
      // Nothing was learnt yet, or it cannot be read: then all is learnt anew.
      return '';
    }
  }

  /** Others find the old file or the new one, never a part of it. */
  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = `${this.#path}.${process.pid}`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(Object.fromEntries(this.#corrections.entries())), { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch (error) {
      const reason = errorText(error);
      this.#onProblem(`Could not save what was learned about counting tokens: ${reason}`);
    }
  };
}

function isEntry(entry: [string, unknown]): entry is [string, Correction] {
  const [, value] = entry;
  return isRecord(value) && Number.isFinite(value.factor) && Number.isSafeInteger(value.reports);
}
