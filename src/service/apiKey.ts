/** The user's prepaid key, which starts with `key_`. */
import { PREFIX, readPasted } from './pastedKey.ts';

export type ParsedKey =
  | { readonly ok: true; readonly key: ApiKey }
  /** Says in one or two sentences what is wrong with the text and what to do. It never repeats the text. */
  | { readonly ok: false; readonly problem: string };

/** From this length, the last four characters reveal nothing useful about the rest. */
const MIN_SHOWN_LENGTH = 12;

/**
 * Holds the key so that it is not printed by accident: converted to a string, to JSON, or inspected, it is `key_…abcd`.
 * Only {@link ApiKey.reveal} and {@link ApiKey.authorization} return the secret.
 */
export class ApiKey {
  /** A placeholder for clients that require a key, for use with the sandbox, which requires none. */
  static readonly sandbox = new ApiKey('key_sandbox');

  readonly #secret: string;

  private constructor(secret: string) {
    this.#secret = secret;
  }

  /** Parses pasted text: removes quotes, `Bearer `, `NAME=`, and similar, and explains why it cannot use a text. */
  static parse(text: string): ParsedKey {
    const pasted = readPasted(text);
    return pasted.problem === undefined
      ? { ok: true, key: new ApiKey(pasted.text) }
      : { ok: false, problem: pasted.problem };
  }

  /** Returns the key itself, for the secret storage or to show it at the user's request. */
  reveal(): string {
    return this.#secret;
  }

  /** Value of the `Authorization` header. */
  get authorization(): string {
    return `Bearer ${this.#secret}`;
  }

  equals(other: ApiKey): boolean {
    return this.#secret === other.#secret;
  }

  toString(): string {
    const secret = this.#secret.slice(PREFIX.length);
    return `${PREFIX}…${secret.length < MIN_SHOWN_LENGTH ? '' : secret.slice(-4)}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}
