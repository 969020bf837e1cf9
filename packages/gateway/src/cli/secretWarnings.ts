/** The relevant members of an exchange's record. */
interface SearchedExchange {
  readonly id: string;
  readonly localKeyId?: string;
  readonly upstream?: string;
  readonly secrets?: readonly string[];
}

/**
 * Warns the user who started the gateway about secrets in requests. Warns once for each key and kind, because an agent
 * sends its whole conversation again and again. All records contain the kinds.
 */
export class SecretWarnings {
  readonly #print: (line: string) => void;
  readonly #reported = new Set<string>();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Does nothing for a record without secrets. */
  readonly record = ({ id, localKeyId, upstream, secrets = [] }: SearchedExchange): void => {
    const fresh = secrets.filter((kind) => !this.#reported.has(`${localKeyId} ${kind}`));
    if (fresh.length === 0) return;
    for (const kind of fresh) this.#reported.add(`${localKeyId} ${kind}`);
    this.#print(`Request ${id} of key ${localKeyId} to ${upstream} seems to contain secrets: ${fresh.join(', ')}.`);
  };
}
