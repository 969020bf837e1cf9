import { hash } from 'node:crypto';
import { type JsonString, readJsonStrings } from './jsonStrings.ts';
import { type RequestText, textsIn } from './requestText.ts';

/** A part of a text that is a part of a block. */
export interface SearchedPart {
  readonly of: RequestText;
  /** Where the part begins in its text, and in the block. */
  readonly from: number;
  readonly offset: number;
  readonly length: number;
}

interface Piece {
  readonly of: RequestText;
  readonly from: number;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** Several texts that are searched together. They are read only if the block is not known. */
export class SearchedBlock {
  /** Identifies the text of the block. */
  readonly id: string;
  /** Whether it has the borders of texts, so that only secrets in two of them count. */
  readonly isBorder: boolean;
  readonly #read: () => readonly Piece[];
  #text = '';
  #parts: SearchedPart[] | undefined;

  constructor(written: string, isBorder: boolean, read: () => readonly Piece[]) {
    this.id = hash('sha1', written, 'base64');
    this.isBorder = isBorder;
    this.#read = read;
  }

  get text(): string {
    this.#join();
    return this.#text;
  }

  get parts(): readonly SearchedPart[] {
    return this.#join();
  }

  #join(): readonly SearchedPart[] {
    if (this.#parts !== undefined) return this.#parts;
    const parts: SearchedPart[] = [];
    const joined: string[] = [];
    let length = 0;
    for (const { of, from, before, text, after } of this.#read()) {
      joined.push(before, text, after);
      parts.push({ of, from, offset: length + before.length, length: text.length });
      length += before.length + text.length + after.length;
    }
    this.#text = joined.join('');
    this.#parts = parts;
    return parts;
  }
}

/** A block ends after a long text, or if it is this long, so that the blocks of a growing conversation stay the same. */
const LONG_TEXT = 512;
const MAX_BLOCK = 8 * 1024;

/** Puts texts together, each on its own line as `"name": "text"`, because the rules also look at the name. */
export function blocksOf(texts: readonly RequestText[]): SearchedBlock[] {
  const blocks: SearchedBlock[] = [];
  let of: RequestText[] = [];
  let length = 0;
  const close = (): void => {
    const all = of;
    if (all.length > 0) blocks.push(new SearchedBlock(written(all), false, () => all.map(lineOf)));
    [of, length] = [[], 0];
  };
  for (const text of texts) {
    of.push(text);
    length += text.raw.length;
    if (text.raw.length >= LONG_TEXT || length >= MAX_BLOCK) close();
  }
  close();
  return blocks;
}

/** Returns the texts of a body as one, in the form in which they are searched. A body that is not JSON is one itself. */
export function searchedText(source: string): string {
  const strings = readJsonStrings(source);
  if (strings === undefined) return source;
  return blocksOf(textsIn(source, strings))
    .map(({ text }) => text)
    .join('');
}

function written(texts: readonly RequestText[]): string {
  return texts.map(({ name, raw }) => `${name}"${raw}`).join('"');
}

function lineOf(of: RequestText): Piece {
  return { of, from: 0, before: `"${of.name}": "`, text: of.text, after: '"\n' };
}

/** How long a match of a rule can be across the border of two texts, and how long that is with escapes. */
const BORDER = 400;
const WRITTEN_BORDER = 6 * BORDER;

/**
 * Returns blocks with the borders of texts that follow each other in one message, because a secret can be cut there.
 * Only matches that cross a border count in them.
 */
export function bordersOf(strings: readonly JsonString[], texts: readonly RequestText[]): SearchedBlock[] {
  let next = 0;
  const blocks: SearchedBlock[] = [];
  let run: RequestText[] = [];
  let list: JsonString['parent'];
  const close = (): void => {
    const all = run;
    if (all.length > 1) blocks.push(new SearchedBlock(`border${writtenEnds(all)}`, true, () => all.flatMap(endsOf)));
    run = [];
  };
  for (const { start, name, parent } of strings) {
    if (name !== 'text' || parent?.parent?.isList !== true) continue;
    if (parent.parent !== list) close();
    list = parent.parent;
    while ((texts[next]?.start ?? start) < start) next += 1;
    const text = texts[next];
    if (text?.start === start) run.push(text);
  }
  close();
  return blocks;
}

function writtenEnds(texts: readonly RequestText[]): string {
  const ends = texts.flatMap(({ raw }) => [raw.length, raw.slice(0, WRITTEN_BORDER), raw.slice(-WRITTEN_BORDER)]);
  return ends.join('"');
}

/** The middle of a long text is omitted, which ends each match. */
function endsOf(of: RequestText): Piece[] {
  const { text } = of;
  if (text.length <= 2 * BORDER) return [{ of, from: 0, before: '', text, after: '' }];
  const from = text.length - BORDER;
  return [
    { of, from: 0, before: '', text: text.slice(0, BORDER), after: '\n\n' },
    { of, from, before: '', text: text.slice(from), after: '' },
  ];
}
