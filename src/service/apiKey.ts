/** The user's prepaid key, which starts with `key_`. */
export const PREFIX = 'key_';

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

  /** @param text what `parseKey` has found to be a key. */
  static of(text: string): ApiKey {
    return new ApiKey(text);
  }

  /** Returns the key itself, for the secret storage or to show it at the user's request. */
  reveal(): string {
    return this.#secret;
  }

  /** Value of the `Authorization` header. */
  get authorization(): string {
    return `Bearer ${this.#secret}`;
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
