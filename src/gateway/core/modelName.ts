import { parseJson } from '../../formats/json.ts';
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  endOfString,
  MAX_OUTSIDE_BYTES,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from '../http/jsonMeasure.ts';

/**
 * Longer texts are not names of models. Paths of files, which some local servers accept, have some hundred characters.
 */
const MAX_LENGTH = 512;
export const LONG_NAME = `model: A model name can have at most ${MAX_LENGTH} characters.`;

/** Most clients write the model among the first members. */
export const SEARCHED_BYTES = 8 * 1024;

/** In JSON, these bytes are always a whole string, because quotes within a string are escaped. */
const MEMBER = '"model"';
const MEMBER_BYTES = Buffer.from(MEMBER);

export function isTooLongName(model: string): boolean {
  return model.length > MAX_LENGTH;
}

export interface ModelPlace {
  readonly name: string;
  /** Range of the JSON string with its quotes, in bytes; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Where bodies name their models, because several parts of the gateway ask for it. */
const places = new WeakMap<Buffer, ModelPlace>();

export function modelName(body: Buffer): string | undefined {
  return modelPlace(body)?.name;
}

/**
 * Returns where a body names its model. Some agents name it after the whole conversation. A long body is searched to
 * its end only if it contains such a member at all, which the native search determines quickly.
 */
export function modelPlace(body: Buffer): ModelPlace | undefined {
  const known = places.get(body);
  if (known !== undefined) return known;
  const early = findModel(body.length <= SEARCHED_BYTES ? body : body.subarray(0, SEARCHED_BYTES));
  const isLate = early === undefined && body.length > SEARCHED_BYTES && body.includes(MEMBER);
  const place = isLate ? findModel(body) : early;
  if (place !== undefined) places.set(body, place);
  return place;
}

/**
 * Finds the value of the top-level member `model` of a JSON body without parsing it. Returns `undefined` if there is
 * none, if it is not a string, or if too many bytes are between the strings before it. Does not check whether the rest is
 * JSON.
 */
export function findModel(bytes: Buffer): ModelPlace | undefined {
  let depth = 0;
  let isKey = false;
  let isModel = false;
  let end = Math.min(bytes.length, MAX_OUTSIDE_BYTES);
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if (byte === SPACE) {
      while (bytes[at + 1] === SPACE) at++;
    } else if (byte === QUOTE) {
      const closing = endOfString(bytes, at);
      if (closing >= bytes.length) return undefined;
      if (isModel) return placeOf(bytes, at, closing);
      isModel = isKey && isMember(bytes, at, closing);
      isKey = false;
      end = Math.min(bytes.length, end + closing - at);
      at = closing;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth++;
      isKey = depth === 1;
      isModel = false;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth--;
      if (depth <= 0) return undefined;
    } else if (byte === COMMA && depth === 1) {
      isKey = true;
      isModel = false;
    }
  }
  return undefined;
}

/** Whether the string is `model`, which may be escaped. */
function isMember(bytes: Buffer, start: number, end: number): boolean {
  for (let at = 0; at < MEMBER_BYTES.length; at++) {
    if (bytes[start + at] !== MEMBER_BYTES[at])
      return bytes[start + at] === BACKSLASH && placeOf(bytes, start, end)?.name === 'model';
  }
  return true;
}

function placeOf(bytes: Buffer, start: number, end: number): ModelPlace | undefined {
  const name = parseJson(bytes.toString('utf8', start, end + 1));
  return typeof name === 'string' ? { name, start, end: end + 1 } : undefined;
}

/** Returns the body with another model name. All other bytes stay the same. */
export function renameModel(body: Buffer, place: ModelPlace, name: string): Buffer {
  if (name === place.name) return body;
  return Buffer.concat([body.subarray(0, place.start), Buffer.from(JSON.stringify(name)), body.subarray(place.end)]);
}
