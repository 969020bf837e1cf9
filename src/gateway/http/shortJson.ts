import { measureInSteps, readLongJson } from './jsonBody.ts';
import { type LongTexts, withoutLongTexts } from './longTexts.ts';
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
export async function readShortJson(body: Uint8Array): Promise<ShortJson | undefined> {
  // Finding the texts is one step, which the limits keep short.
  if (isHuge(body)) await measureInSteps(body);
  await nextTurn();
  const short = withoutLongTexts(body);
  if (short === undefined) return undefined;
  await nextTurn();
  const { value } = await readLongJson(short.body);
  return { value, texts: short.texts };
}

/** Writes a long value in steps. */
export async function writeLongJson(value: unknown, texts?: LongTexts): Promise<Buffer> {
  await nextTurn();
  const json = JSON.stringify(value);
  await nextTurn();
  const bytes = texts?.restore(json) ?? Buffer.from(json);
  await nextTurn();
  return bytes;
}
