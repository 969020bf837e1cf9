import { isRecord, type JsonRecord } from '../../formats/json.ts';

/** The length of a piece, in characters. Writing it takes less than a millisecond. */
const PIECE = 64 * 1024;
/** The texts in the parts of tool results are at this depth. Deeper values are not divided. */
const MAX_DEPTH = 7;

/** Divides the JSON of a value into pieces, which are together the same as from `JSON.stringify`. */
export class JsonPieces {
  readonly #value: unknown;
  readonly #isWhole: (text: string) => boolean;

  /** @param isWhole whether a long string must not be divided. */
  constructor(value: unknown, isWhole: (text: string) => boolean = () => false) {
    this.#value = value;
    this.#isWhole = isWhole;
  }

  *[Symbol.iterator](): Generator<string, void> {
    let piece = '';
    for (const json of this.#ofValue(this.#value, 0)) {
      piece += json;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }

  *#ofValue(value: unknown, depth: number): Generator<string> {
    if (typeof value === 'string' && value.length > PIECE && !this.#isWhole(value)) yield* ofText(value);
    else if (depth < MAX_DEPTH && Array.isArray(value)) yield* this.#ofList(value, depth + 1);
    else if (depth < MAX_DEPTH && isRecord(value)) yield* this.#ofObject(value, depth + 1);
    else yield JSON.stringify(value) ?? 'null';
  }

  *#ofList(values: readonly unknown[], depth: number): Generator<string> {
    for (const [place, value] of values.entries()) {
      yield place === 0 ? '[' : ',';
      yield* this.#ofValue(value, depth);
    }
    yield values.length === 0 ? '[]' : ']';
  }

  *#ofObject(object: JsonRecord, depth: number): Generator<string> {
    let before = '{';
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* this.#ofValue(value, depth);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* ofText(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE;
    // The halves of a character would be escaped.
    const next = isFirstHalf(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield JSON.stringify(text.slice(start, next)).slice(1, -1);
    start = next;
  }
  yield '"';
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
