import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, hasCode } from '../../../display/errors.ts';

/** What an account has used, in billionths of a dollar. */
export interface SandboxSpending {
  readonly total: number;
  add(billionths: number): void;
  clear(): void;
}

export class SpentInMemory implements SandboxSpending {
  total = 0;

  add(billionths: number): void {
    this.total += billionths;
  }

  clear(): void {
    this.total = 0;
  }
}

/**
 * Keeps what an account has used in a file, so that it lasts over restarts and is the same in all windows. Each charge is
 * a line of its own: several processes can append without losing one. It is read completely each time, because the credit
 * ends after a few thousand charges.
 */
export class SpentFile implements SandboxSpending {
  readonly #path: string;
  readonly #onProblem: (message: string) => void;
  /** What could not be written. */
  readonly #unwritten = new SpentInMemory();

  constructor(path: string, onProblem: (message: string) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  get total(): number {
    const amounts = this.#read().split('\n').map(Number).filter(Number.isFinite);
    return amounts.reduce((sum, amount) => sum + amount, this.#unwritten.total);
  }

  add(billionths: number): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      appendFileSync(this.#path, `${billionths}\n`, { mode: 0o600 });
    } catch (error) {
      this.#unwritten.add(billionths);
      this.#onProblem(`The sandbox's account could not be written: ${errorText(error)}`);
    }
  }

  clear(): void {
    this.#unwritten.clear();
    rmSync(this.#path, { force: true });
  }

  #read(): string {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) this.#onProblem(`The sandbox's account could not be read: ${errorText(error)}`);
      return '';
    }
  }
}
