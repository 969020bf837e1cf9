import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { HALF, withoutHalves } from '../../formats/json.ts';
import { JsonCursor } from './jsonCursor.ts';
import { BACKSLASH, SPACE } from './jsonMeasure.ts';

const UPPERCASE_HALF = '\\uD';
const LAST_ASCII = 0x7e;
/** Shorter texts are parsed as quickly as they are replaced. */
const MIN_BYTES = 512;
/** Tool results contain parts, which contain no further ones. */
const MAX_DEPTH = 3;
/** Messages and parts. A request with more is parsed in steps, or refused, because finding its texts takes too long. */
const MAX_READ = 20_000;
const TEXT_TYPES: ReadonlySet<string | undefined> = new Set(['text', 'input_text', 'output_text']);
/** Answers in the Responses format repeat the instructions of the request. */
const REPEATED_ROLES: ReadonlySet<string | undefined> = new Set(['system', 'developer']);
/** Parts with other members, such as citations, may refer to positions in their text. */
const OPAQUE: ReadonlySet<string> = new Set(['type', 'text', 'cache_control', 'prompt_cache_breakpoint']);

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the long texts of the conversation. A translation passes on each text as it is, so that it can be copied as
 * bytes between two JSON documents. Parsing and writing it takes ten times as long.
 * Only halves of characters are replaced, which many servers refuse. Of all else, the upstream checks whether it is valid,
 * as in a request that needs no translation.
 * @returns undefined if there are no such texts, or if the body is not UTF-8.
 */
export function longTextsIn(bytes: Buffer): LongTexts | undefined {
  const ranges = new TextFinder(bytes).find();
  return ranges.length === 0 || !isUtf8(bytes) ? undefined : new LongTexts(bytes, ranges);
}

/** The long texts of a body, which short references can replace. */
export class LongTexts {
  readonly #body: Buffer;
  readonly #ranges: readonly TextRange[];
  /** Does not occur in any text, because it cannot be guessed. */
  readonly #mark = randomBytes(16).toString('hex');

  constructor(body: Buffer, ranges: readonly TextRange[]) {
    this.#body = body;
    this.#ranges = ranges;
  }

  get bytes(): number {
    return this.#ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Returns the body with references instead of the texts. */
  shortened(): Buffer {
    let at = 0;
    const pieces = this.#ranges.flatMap(({ start, end }, index) => {
      const before = this.#body.subarray(at, start);
      at = end;
      return [before, Buffer.from(this.reference(index))];
    });
    return Buffer.concat([...pieces, this.#body.subarray(at)]);
  }

  /**
   * Returns the reference to a text as it is written in JSON. Its quotes are escaped once more each time that the text
   * is written into JSON within JSON, such as the arguments of a call.
   */
  reference(index: number): string {
    return `${this.#mark}\\"${index}\\"`;
  }

  /** Whether JSON contains a reference. */
  isIn(json: string): boolean {
    return json.includes(this.#mark);
  }

  /** Returns the JSON with all texts, each escaped as often as its reference. */
  restore(json: string): Buffer {
    return Buffer.concat(this.restored(json));
  }

  /** Like {@link restore}, but in pieces. A long text is not copied. */
  restored(json: string): readonly Buffer[] {
    const reference = new RegExp(`${this.#mark}(\\\\+)"(\\d+)\\1"`, 'g');
    const pieces: Buffer[] = [];
    let at = 0;
    for (const { 0: whole, 1: escapes = '', 2: index, index: found } of json.matchAll(reference)) {
      pieces.push(Buffer.from(json.slice(at, found)), this.#text(Number(index), Math.log2(escapes.length + 1)));
      at = found + whole.length;
    }
    pieces.push(Buffer.from(json.slice(at)));
    return pieces;
  }

  /** @param depth number of JSON documents around the text. */
  #text(index: number, depth: number): Buffer {
    const { start = 0, end = 0 } = this.#ranges[index] ?? {};
    const bytes = this.#body.subarray(start, end);
    const hasHalves = bytes.includes(HALF) || bytes.includes(UPPERCASE_HALF);
    if (depth === 1 && !hasHalves) return bytes;
    let text = hasHalves ? withoutHalves(bytes.toString()) : bytes.toString();
    for (let level = 1; level < depth; level++) text = JSON.stringify(text).slice(1, -1);
    return Buffer.from(text);
  }
}

class TextFinder {
  readonly #cursor: JsonCursor;
  readonly #found: TextRange[] = [];
  #read = 0;

  constructor(body: Buffer) {
    this.#cursor = new JsonCursor(body);
  }

  find(): readonly TextRange[] {
    const cursor = this.#cursor;
    cursor.object((name) => {
      if ((name === 'messages' || name === 'input') && cursor.kind === 'array') {
        cursor.array(() => this.#message());
      }
    });
    return this.#read > MAX_READ ? [] : this.#found;
  }

  #message(): void {
    this.#count();
    const found = this.#found.length;
    let isRepeated = false;
    this.#cursor.object((name) => {
      if (name === 'role') isRepeated = REPEATED_ROLES.has(this.#cursor.text());
      else this.#member(name, 1);
    });
    if (isRepeated) this.#found.length = found;
  }

  #count(): void {
    this.#read++;
    if (this.#read > MAX_READ) this.#cursor.stop();
  }

  #member(name: string, depth: number): void {
    if (name !== 'content' && name !== 'output') return;
    const cursor = this.#cursor;
    if (cursor.kind === 'string') this.#add(this.#text());
    else if (cursor.kind === 'array' && depth < MAX_DEPTH) cursor.array(() => this.#part(depth + 1));
  }

  #part(depth: number): void {
    const cursor = this.#cursor;
    this.#count();
    let type: string | undefined;
    let text: TextRange | undefined;
    let isOpaque = true;
    cursor.object((name) => {
      isOpaque &&= OPAQUE.has(name);
      if (name === 'type') type = cursor.text();
      else if (name === 'text') text = this.#text();
      else this.#member(name, depth);
    });
    if (isOpaque && TEXT_TYPES.has(type)) this.#add(text);
  }

  #add(text: TextRange | undefined): void {
    if (text !== undefined) this.#found.push(text);
  }

  /** Reads the string at the cursor. Returns undefined if it is short or if a format may omit it. */
  #text(): TextRange | undefined {
    const cursor = this.#cursor;
    if (cursor.kind !== 'string') return undefined;
    const start = cursor.at + 1;
    cursor.skip();
    const range = { start, end: cursor.at - 1 };
    return range.end - start < MIN_BYTES || !isVisible(cursor.bytes, range) ? undefined : range;
  }
}

/** Whether a text has a visible ASCII character. Formats omit texts of only white space. */
function isVisible(bytes: Buffer, { start, end }: TextRange): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH) at++;
    else if (byte > SPACE && byte <= LAST_ASCII) return true;
  }
  return false;
}
