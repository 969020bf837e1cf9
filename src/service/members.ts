import { isRecord } from '../formats/json.ts';

/** Returns trimmed, non-empty text, or undefined. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** Returns one spelling for `remaining_balance`, `remainingBalance`, and `Remaining-Balance`. */
function plain(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}

/**
 * An object's own members by name, in any spelling, so `__proto__` is an ordinary name. If two spellings of a name are present, the first is used.
 */
export class Members {
  readonly #values = new Map<string, unknown>();

  constructor(value: unknown) {
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const key = plain(name);
      if (!this.#values.has(key)) this.#values.set(key, member);
    }
  }

  /** Returns the value at a path, which may lead through objects: `pricing.input`. */
  get(path: string): unknown {
    const [name = '', ...rest] = path.split('.');
    const value = this.#values.get(plain(name));
    return rest.length === 0 ? value : new Members(value).get(rest.join('.'));
  }

  /** Returns pairs of the name in lower case without separators, and the value. */
  entries(): Iterable<readonly [name: string, value: unknown]> {
    return this.#values;
  }

  /** Returns the value of the first path that the reader accepts. */
  first<T>(paths: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
    for (const path of paths) {
      const value = read(this.get(path));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
