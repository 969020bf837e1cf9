import { hash } from 'node:crypto';
import { escapeJson, unescapeJson } from './jsonEscapes.ts';
import type { StandIns } from './standIns.ts';
import { StandInTable } from './standInTable.ts';

/** A secret that was found, with its kind, such as `github`. */
export interface KnownSecret {
  readonly value: string;
  readonly kind: string;
}

export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly secret: KnownSecret;
}

/** Up to this number, one native search for each is faster. */
const MAX_SOUGHT_SINGLY = 300;
/** Shorter spellings, such as line breaks that were escaped, are also parts of other texts. */
const START = 6;

/** The secrets of one request in all their spellings, with their stand-ins. */
export class SecretTable extends StandInTable {
  readonly #standIns: StandIns;
  readonly #spellings = new Map<string, KnownSecret>();
  #version: string | undefined;
  #starts: Map<string, Set<number>> | undefined;

  constructor(standIns: StandIns) {
    super();
    this.#standIns = standIns;
  }

  /** Changes with the secrets. */
  get version(): string {
    this.#version ??= hash('sha1', [...this.#spellings.keys()].sort().join('\n'), 'base64');
    return this.#version;
  }

  add(secret: KnownSecret): void {
    if (this.#spellings.has(secret.value)) return;
    for (const spelling of spellingsOf(secret.value)) {
      if (spelling.length >= START && !this.#spellings.has(spelling)) this.#spellings.set(spelling, secret);
    }
    this.#version = undefined;
    this.#starts = undefined;
  }

  /** Returns the places of all secrets, in no order. They may overlap. */
  find(text: string): Occurrence[] {
    return this.#spellings.size > MAX_SOUGHT_SINGLY ? this.#findMany(text) : this.#findSingly(text);
  }

  #findSingly(text: string): Occurrence[] {
    const found: Occurrence[] = [];
    for (const [spelling, secret] of this.#spellings) {
      for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + spelling.length)) {
        found.push({ start: at, end: at + spelling.length, secret });
      }
    }
    return found;
  }

  /** Takes time that grows with the text, not with the number of secrets. */
  #findMany(text: string): Occurrence[] {
    const found: Occurrence[] = [];
    const lengths = this.#lengthsByStart();
    for (let start = 0; start + START <= text.length; start += 1) {
      for (const length of lengths.get(text.slice(start, start + START)) ?? []) {
        const secret = this.#spellings.get(text.slice(start, start + length));
        if (secret !== undefined) found.push({ start, end: start + length, secret });
      }
    }
    return found;
  }

  /** The lengths of the spellings that begin with the same characters. */
  #lengthsByStart(): ReadonlyMap<string, ReadonlySet<number>> {
    if (this.#starts !== undefined) return this.#starts;
    this.#starts = new Map<string, Set<number>>();
    for (const spelling of this.#spellings.keys()) {
      const start = spelling.slice(0, START);
      this.#starts.set(start, (this.#starts.get(start) ?? new Set()).add(spelling.length));
    }
    return this.#starts;
  }

  /** Returns the stand-in for a text that is, or contains, a secret. */
  standInFor(text: string): string {
    const standIn = this.#standIns.of(text);
    if (!this.texts.has(standIn)) this.know(standIn, text);
    return standIn;
  }
}

/**
 * Returns the ways in which a secret is written: as it is, with the escapes of JSON, in a URL, and in base64. Each gets
 * its own stand-in, so that a text that repeats it gets exactly what was there.
 */
function spellingsOf(secret: string): ReadonlySet<string> {
  const escaped = escapeJson(secret);
  const inUrl = [encodeUrl(secret, encodeURIComponent), encodeUrl(secret, encodeURI)];
  return new Set([
    secret,
    unescapeJson(secret),
    escaped,
    escapeJson(escaped),
    escaped.replaceAll('/', '\\/'),
    ascii(escaped),
    ...inUrl.flatMap((each) => [each, lowerCase(each), strict(each), each.replaceAll('%20', '+')]),
    ...base64Forms(secret),
  ]);
}

function encodeUrl(text: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch {
    // A surrogate without its pair cannot be in a URL.
    return text;
  }
}

function lowerCase(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
}

/** As RFC 3986 demands it. */
function strict(encoded: string): string {
  return encoded.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Some libraries escape every character that is not ASCII. */
function ascii(escaped: string): string {
  return escaped.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without the padding, which is not written everywhere. A shell's `echo` adds a line break. */
function base64Forms(secret: string): string[] {
  return [secret, `${secret}\n`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
}
