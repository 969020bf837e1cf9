import { isAscii, isUtf8 } from 'node:buffer';
import { FormatError } from '../../formats/apiError.ts';
import { type JsonRecord, parseJson } from '../../formats/json.ts';
import { EXCESSES, hasFewValues, isTooDeep, JsonMeasure } from './jsonMeasure.ts';
import { isLong, nextTurn } from './turns.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/**
 * Bodies up to this length are parsed whole as soon as a part of them is needed, which takes some ten microseconds.
 * Searching longer ones for the names of the needed members is faster. In bytes.
 */
const SHORT_BYTES = 16 * 1024;
/** The values of short bodies, so that each is parsed once, however many parts of the gateway read it. */
const shortValues = new WeakMap<Buffer, unknown>();
const NOT_PARSED = Symbol('not parsed');
/** Measuring this many bytes takes some tens of milliseconds at most. */
const MEASURED_PER_TURN = 4 * 1024 * 1024;

/**
 * Returns the object that a short body contains. It is shared, so it must not be changed.
 * @returns undefined if the body is longer, is no object, or may exceed a limit. Its bytes can be scanned then.
 */
export function shortObject(body: Buffer): JsonRecord | undefined {
  const value = shortValues.get(body) ?? shortValue(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

function shortValue(body: Buffer): unknown {
  if (body.length > SHORT_BYTES) return undefined;
  const known = shortValues.get(body);
  if (known !== undefined) return known === NOT_PARSED ? undefined : known;
  const value = hasFewValues(body) ? parseJson(decodeUtf8(body) ?? '') : undefined;
  shortValues.set(body, value === undefined ? NOT_PARSED : value);
  return value;
}

/**
 * Parses the body of a request.
 * @throws {FormatError} if it is not JSON, is nested too deep, or has too many values.
 */
export function readJsonBody(body: Buffer): unknown {
  return shortValue(body) ?? readCountedJson(body).value;
}

export interface CountedJson {
  readonly value: unknown;
  /** Number of members of all objects, as written. Duplicates are counted. */
  readonly members: number;
}

/** @throws {FormatError} like {@link readJsonBody}. */
export function readCountedJson(body: Buffer): CountedJson {
  const measure = checked(new JsonMeasure(body).pass());
  return { value: shortValue(body) ?? parseRequest(decodeUtf8(body)), members: measure.members };
}

/** Does the same in steps if the body is long. */
export async function readLongJson(body: Buffer): Promise<CountedJson> {
  if (!isLong(body)) return readCountedJson(body);
  const measure = await measureInSteps(body);
  await nextTurn();
  const text = decodeUtf8(body);
  await nextTurn();
  const value = parseRequest(text);
  await nextTurn();
  return { value, members: measure.members };
}

/**
 * Measures a long body in steps.
 * @throws {FormatError} if a limit is exceeded.
 */
export async function measureInSteps(body: Buffer): Promise<JsonMeasure> {
  const measure = new JsonMeasure(body);
  while (!measure.isDone) {
    await nextTurn();
    measure.pass(MEASURED_PER_TURN);
  }
  return checked(measure);
}

/** Parses a body that may not be JSON. Returns `undefined` if it is not, or if it is nested too deep. */
export function parseJsonBody(body: Buffer): unknown {
  const short = shortValue(body);
  if (short !== undefined) return short;
  if (isTooDeep(body)) return undefined;
  const text = decodeUtf8(body);
  return text === undefined ? undefined : parseJson(text);
}

function checked(measure: JsonMeasure): JsonMeasure {
  const { excess } = measure;
  if (excess !== undefined) throw new FormatError(`The body of the request ${EXCESSES[excess]}`, '');
  return measure;
}

function parseRequest(text = ''): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new FormatError('The body of the request is not JSON.', '');
  return value;
}

/** Returns `undefined` if the bytes are not UTF-8. Checking them before decoding is several times faster. */
function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
