import { hash } from 'node:crypto';
import { spellingsOf } from './spellings.ts';
import type { StandIns } from './standIns.ts';
import { StandInTable } from './standInTable.ts';

/** A secret that was found, with its kind, such as `github`. */
export interface KnownSecret {
  readonly value: string;
  readonly kind: string;
}

/** One place of a text that is replaced with a stand-in. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly secret: KnownSecret;
}

/** The secrets of one request in all their spellings, with their stand-ins. */
export class SecretTable extends StandInTable {
  readonly #standIns: StandIns;
  readonly #spellings = new Map<string, KnownSecret>();
  #version: string | undefined;

  constructor(standIns: StandIns) {
    super();
    this.#standIns = standIns;
  }

  /** Changes with the secrets. */
  get version(): string {
    this.#version ??= hash('sha1', [...this.#spellings.keys()].sort().join('\n'), 'base64');
    return this.#version;
  }

  /** Adds a secret that is sought everywhere. */
  add(secret: KnownSecret): void {
    if (this.#spellings.has(secret.value)) return;
    for (const spelling of spellingsOf(secret.value)) {
      if (!this.#spellings.has(spelling)) this.#spellings.set(spelling, secret);
    }
    this.#version = undefined;
  }

  /** Returns the places of all secrets, in no order. They may overlap. */
  find(text: string): Occurrence[] {
    const found: Occurrence[] = [];
    for (const [spelling, secret] of this.#spellings) {
      for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + spelling.length)) {
        found.push({ start: at, end: at + spelling.length, secret });
      }
    }
    return found;
  }

  /** Returns the stand-in for a text that is, or contains, a secret. */
  standInFor(text: string): string {
    const standIn = this.#standIns.of(text);
    if (!this.texts.has(standIn)) this.know(standIn, text);
    return standIn;
  }
}
