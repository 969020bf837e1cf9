import { measureInSteps, readLongJson } from './jsonBody.ts';
import { JsonPieces } from './jsonPieces.ts';
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
  const json = JSON.stringify(value);
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
