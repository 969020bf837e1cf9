/** Reads and writes the JSON of long bodies in steps, between which the gateway serves other requests. */
import { isRecord, type JsonRecord, strictJson } from '../../formats/json.ts';
import { measureInSteps, readLongJson } from './jsonBody.ts';
import { type LongTexts, longTextsIn } from './longTexts.ts';
import { isHuge, nextTurn } from './turns.ts';

/** The value of a long body, with references to its long texts. */
export interface ShortJson {
  readonly value: unknown;
  readonly texts: LongTexts;
}

/**
 * Parses a long body in steps, without its long texts.
 * @returns undefined if it has none.
 * @throws {FormatError} if the body is not JSON, or exceeds a limit.
 */
export async function readShortJson(body: Buffer): Promise<ShortJson | undefined> {
  // Finding the texts is one step, which the limits keep short.
  if (isHuge(body)) await measureInSteps(body);
  await nextTurn();
  const texts = longTextsIn(body);
  if (texts === undefined) return undefined;
  await nextTurn();
  const short = texts.shortened();
  await nextTurn();
  const { value } = await readLongJson(short);
  return { value, texts };
}

/** Above this length, a value is written in pieces. Below, that would take more time than it distributes. In bytes. */
const DIVIDED_BYTES = 8 * 1024 * 1024;
/** How many bytes are written in a step. */
const STEP_BYTES = 2 * 1024 * 1024;

/**
 * Writes a long value in steps.
 * @param length approximate length of the result, in bytes.
 */
export async function writeLongJson(value: unknown, length: number, texts?: LongTexts): Promise<Buffer> {
  await nextTurn();
  if (length >= DIVIDED_BYTES) return writeInPieces(value, texts);
  const json = strictJson(value);
  await nextTurn();
  const bytes = texts?.restore(json) ?? Buffer.from(json);
  await nextTurn();
  return bytes;
}

async function writeInPieces(value: unknown, texts: LongTexts | undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let inStep = 0;
  for (const json of new JsonPieces(value, (text) => texts?.isIn(text) === true)) {
    for (const bytes of texts?.restored(json) ?? [Buffer.from(json)]) {
      pieces.push(bytes);
      inStep += bytes.length;
    }
    if (inStep < STEP_BYTES) continue;
    inStep = 0;
    await nextTurn();
  }
  const whole = Buffer.concat(pieces);
  await nextTurn();
  return whole;
}

/** The length of a piece, in characters. Writing it takes less than a millisecond. */
const PIECE_LENGTH = 64 * 1024;
/** The texts in the parts of tool results are at this depth. Deeper values are not divided. */
const MAX_DEPTH = 7;

/** Divides the JSON of a value into pieces, which are together the same as from {@link strictJson}. */
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
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }

  *#ofValue(value: unknown, depth: number): Generator<string> {
    if (typeof value === 'string' && value.length > PIECE_LENGTH && !this.#isWhole(value)) yield* ofText(value);
    else if (depth < MAX_DEPTH && Array.isArray(value)) yield* this.#ofList(value, depth + 1);
    else if (depth < MAX_DEPTH && isRecord(value)) yield* this.#ofObject(value, depth + 1);
    else yield value === undefined ? 'null' : strictJson(value);
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
      yield `${before}${strictJson(name)}:`;
      yield* this.#ofValue(value, depth);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* ofText(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    // The halves of a character would be replaced.
    const next = isFirstHalf(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield strictJson(text.slice(start, next)).slice(1, -1);
    start = next;
  }
  yield '"';
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
