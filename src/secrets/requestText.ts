import { escapedOffsets, unescapeJson } from './jsonEscapes.ts';
import type { JsonString } from './jsonStrings.ts';
import { hasKnownPrefix } from './standIns.ts';

/** Members whose strings are JSON. */
export const NESTED_NAMES: ReadonlySet<string> = new Set(['arguments', 'partial_json']);
/** Members that only their author can read. */
const SIGNED_NAMES: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'thought_signature']);

/** Files and pictures. A private key in base64 is a text. */
const BASE64_START = /^(?!LS0tLS1CRUdJTi)[A-Za-z0-9+/=_-]{1000}/;
const DATA_ADDRESS = /^data:[\w.+/-]{1,100}(?:;[\w=.-]{1,100})*;base64,/;

/** A text of a body, with the levels of JSON's escapes with which it is written there. */
export class RequestText {
  /** As it is written. */
  readonly raw: string;
  readonly start: number;
  /** The name that it is assigned to, which some rules need. */
  readonly name: string;
  readonly #levels: number;
  #text: string | undefined;

  constructor(raw: string, start: number, name: string, levels: number) {
    this.raw = raw;
    this.start = start;
    this.name = name;
    this.#levels = levels;
  }

  get text(): string {
    this.#text ??= this.#unescaped(this.#levels);
    return this.#text;
  }

  /** Returns the positions in the body of positions in the text, which must be in order. */
  placesOf(positions: readonly number[]): number[] {
    let places = positions;
    for (let level = this.#levels; level > 0; level -= 1) places = escapedOffsets(this.#unescaped(level - 1), places);
    return places.map((place) => this.start + place);
  }

  #unescaped(levels: number): string {
    let text = this.raw;
    for (let level = 0; level < levels; level += 1) text = unescapeJson(text);
    return text;
  }
}

/** The shortest secret that a rule finds. One that is cut can have shorter pieces. */
const MIN_TEXT = 3;

/** Returns the texts of a body. Names of members are texts, too. */
export function textsIn(source: string, strings: readonly JsonString[]): RequestText[] {
  const texts: RequestText[] = [];
  for (const { start, end, name } of strings) {
    if (end - start < MIN_TEXT && name !== 'text') continue;
    const raw = source.slice(start, end);
    if (isFile(raw) || (SIGNED_NAMES.has(name) && isSigned(raw))) continue;
    texts.push(new RequestText(raw, start, name, NESTED_NAMES.has(name) ? 2 : 1));
  }
  return texts;
}

function isFile(raw: string): boolean {
  return (raw.length >= 1000 && BASE64_START.test(raw)) || DATA_ADDRESS.test(raw);
}

/** Tools can have an argument with such a name, too. */
function isSigned(raw: string): boolean {
  return raw.length >= 64 && !/\s/.test(raw) && !hasKnownPrefix(raw);
}
