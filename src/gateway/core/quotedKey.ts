/** Finds quotes of a key in bytes: as it is, as JSON escapes it, or in base64. */
import { BACKSLASH } from '../http/jsonMeasure.ts';
import { needleOf } from '../http/wordSearch.ts';

/** Fewer consecutive characters of a key reveal nothing beyond its ends, which are shown anyway. */
const MIN_QUOTE_LENGTH = 12;
/** The beginning of an ASCII character that JSON escapes by its number, which follows in two hexadecimal digits. */
const ESCAPE = Buffer.from('\\u00');
const ESCAPE_LENGTH = 6;
/** JSON in JSON has two, four, or eight of them before an escaped character. */
const BACKSLASHES = '\\\\{1,8}';

export interface Quote {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export class QuotedKey {
  /** A part of the key that each quote contains as it is, unless it is encoded. */
  readonly core: Buffer;
  /** A part of the core that is found sooner. */
  readonly needle: Buffer;
  /** Whether a quote may end with the byte with which a JSON object does. */
  readonly hasBrace: boolean;
  /** Matches the core, the key in base64, and a backslash: a part of a quote in any encoding. */
  readonly suspicious: RegExp;
  readonly #key: Buffer;
  /** Matches the key, and its beginning if that is most of it, with and without escapes of JSON. */
  readonly #written: RegExp;
  /** Also matches the key in base64. */
  readonly #encoded: RegExp;

  constructor(key: string) {
    this.#key = Buffer.from(key);
    this.hasBrace = key.includes('}');
    const { length } = this.#key;
    const minLength = Math.max(MIN_QUOTE_LENGTH, length - Math.floor(length / 3));
    this.core = coreOf(this.#key.subarray(0, minLength));
    this.needle = needleOf(this.core);
    const characters = [...this.#key].map(written);
    const end = characters.slice(minLength).reduceRight((rest, character) => `(?:${character}${rest})?`, '');
    const beginning = characters.slice(0, minLength).join('') + end;
    const base64 = base64Forms(this.#key).map(literally);
    this.#written = new RegExp(beginning, 'g');
    this.#encoded = new RegExp([beginning, ...base64].join('|'), 'g');
    this.suspicious = new RegExp(['\\\\', literally(this.core.toString('latin1')), ...base64].join('|'));
  }

  /** Whether the bytes of a successful answer may contain a quote. Most contain neither the core nor such an escape. */
  mayBeIn(bytes: Buffer): boolean {
    return (bytes.includes(this.needle) && bytes.includes(this.core)) || bytes.includes(ESCAPE);
  }

  /** Returns the quotes as they are, or as JSON escapes them. */
  find(bytes: Buffer): readonly Quote[] {
    return matches(bytes, this.#written);
  }

  /** Also returns those in base64. */
  findEncoded(bytes: Buffer): readonly Quote[] {
    return matches(bytes, this.#encoded);
  }

  /**
   * Returns where the possible beginning of a quote at the end of the bytes starts, or -1 if there is none. Only JSON's
   * escapes are considered.
   */
  beginningAtEnd(bytes: Buffer): number {
    const first = this.#key[0];
    const from = Math.max(0, bytes.length - this.#key.length * ESCAPE_LENGTH);
    for (let at = from; at < bytes.length; at += 1) {
      if ((bytes[at] === first || bytes[at] === BACKSLASH) && this.#isCutOff(bytes, at)) return at;
    }
    return -1;
  }

  /** Whether the bytes from here to the end are an incomplete quote. */
  #isCutOff(bytes: Buffer, start: number): boolean {
    let at = start;
    for (const code of this.#key) {
      if (at >= bytes.length) return true;
      if (bytes[at] === code && code !== BACKSLASH) at += 1;
      else if (bytes[at] !== BACKSLASH) return false;
      else {
        const rest = bytes.toString('latin1', at, at + ESCAPE_LENGTH).toLowerCase();
        const escapes = [`\\u00${code.toString(16)}`, `\\${String.fromCharCode(code)}`];
        const found = escapes.find((each) => rest.startsWith(each) || each.startsWith(rest));
        if (found === undefined) return false;
        at += found.length;
      }
    }
    return at > bytes.length;
  }
}

function matches(bytes: Buffer, pattern: RegExp): readonly Quote[] {
  return Array.from(bytes.toString('latin1').matchAll(pattern), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** Returns a pattern for a character with and without the escapes of JSON. */
function written(code: number): string {
  const character = String.fromCharCode(code);
  const number = code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const byNumber = `${BACKSLASHES}u00${number}`;
  if (code === BACKSLASH) return `(?:${byNumber}|${BACKSLASHES})`;
  // Some servers escape slashes, too. Keys in base64 contain them.
  const isEscaped = character === '"' || character === '/';
  return `(?:${literally(character)}|${byNumber}${isEscaped ? `|${BACKSLASHES}${character}` : ''})`;
}

function literally(text: string): string {
  return text.replace(/\W/g, '\\$&');
}

/** Returns the longest part without a character that a backslash may precede. */
function coreOf(beginning: Buffer): Buffer {
  const parts = beginning.toString('latin1').split(/[/"\\]/);
  return Buffer.from(parts.toSorted((a, b) => b.length - a.length)[0] ?? '', 'latin1');
}

/** Omits the characters at both ends, which depend on the bytes next to the key. */
function base64Forms(key: Buffer): readonly string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((text.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => text.toString(alphabet).slice(start, end));
  });
  return [...new Set(forms)];
}
