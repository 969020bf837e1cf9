/** The marks with which a client requests what a cache keeps. */
import type { JsonCursor } from '../http/jsonCursor.ts';
import type { CacheLifetime } from './cacheRules.ts';

const NAMES: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);
const LIFETIMES: Readonly<Record<string, CacheLifetime>> = {
  '5m': 'minutes',
  '30m': 'halfHour',
  '1h': 'hour',
  '12h': 'halfDay',
};

export interface ReadMarks {
  readonly hasMarks: boolean;
  /** The lifetime of the marks. Undefined if there are none. */
  readonly lifetime: CacheLifetime | undefined;
}

export function isMark(name: string): boolean {
  return NAMES.has(name);
}

export class Marks {
  readonly #cursor: JsonCursor;
  #read: ReadMarks = { hasMarks: false, lifetime: undefined };

  constructor(cursor: JsonCursor) {
    this.#cursor = cursor;
  }

  get read(): ReadMarks {
    return this.#read;
  }

  /** Continues with the marks of a part that was not read again. */
  resume({ hasMarks, lifetime }: ReadMarks): void {
    this.#read = { hasMarks, lifetime };
  }

  /**
   * Reads the value of a member with the name of a mark.
   * @returns whether it is a mark. A mark that is null does not count.
   */
  pass(): boolean {
    const cursor = this.#cursor;
    let ttl: string | undefined;
    if (cursor.kind === 'other') {
      cursor.skip();
      return false;
    }
    cursor.object((name) => {
      if (name === 'ttl') ttl = cursor.text();
    });
    const { lifetime: earlier } = this.#read;
    const isShort = earlier === undefined || earlier === 'minutes';
    this.#read = { hasMarks: true, lifetime: isShort ? LIFETIMES[ttl ?? '5m'] : earlier };
    return true;
  }
}

/** Extends the range by the comma before it, or else the one after it. */
export function withComma(bytes: Buffer, [start, end]: readonly [number, number]): readonly [number, number] {
  const comma = bytes.indexOf(0x2c, start);
  if (comma !== -1 && comma < end && bytes.subarray(start, comma).toString('latin1').trim() === '') return [start, end];
  const next = /^\s*,/.exec(bytes.subarray(end, end + 16).toString('latin1'));
  return [start, next === null ? end : end + next[0].length];
}
