import { isAscii, isUtf8 } from 'node:buffer';
import { FormatError } from '../../formats/apiError.ts';
import { asBuffer } from './asBuffer.ts';
import { EXCESSES, isTooDeep, JsonMeasure } from './jsonMeasure.ts';
import { isLong, nextTurn } from './turns.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/** Measuring this many bytes takes some tens of milliseconds at most. */
const MEASURED_PER_TURN = 4 * 1024 * 1024;

/**
 * Parses the body of a request.
 * @throws {FormatError} if it is not JSON, is nested too deep, or has too many values.
 */
export function readJsonBody(body: Uint8Array): unknown {
  return readCountedJson(body).value;
}

export interface CountedJson {
  readonly value: unknown;
  /** Number of members of all objects, as written. Duplicates are counted. */
  readonly members: number;
}

/** @throws {FormatError} like {@link readJsonBody}. */
export function readCountedJson(body: Uint8Array): CountedJson {
  const measure = checked(new JsonMeasure(asBuffer(body)).pass());
  return { value: parseRequest(decodeUtf8(body)), members: measure.members };
}

/** Does the same in steps if the body is long. */
export async function readLongJson(body: Uint8Array): Promise<CountedJson> {
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
export async function measureInSteps(body: Uint8Array): Promise<JsonMeasure> {
  const measure = new JsonMeasure(asBuffer(body));
  while (!measure.isDone) {
    await nextTurn();
    measure.pass(MEASURED_PER_TURN);
  }
  return checked(measure);
}

/** Parses a body that may not be JSON. Returns `undefined` if it is not, or if it is nested too deep. */
export function parseJsonBody(body: Uint8Array): unknown {
  if (isTooDeep(asBuffer(body))) return undefined;
  const text = decodeUtf8(body);
  return text === undefined ? undefined : parse(text);
}

function checked(measure: JsonMeasure): JsonMeasure {
  const { excess } = measure;
  if (excess !== undefined) throw new FormatError(`The body of the request ${EXCESSES[excess]}`, '');
  return measure;
}

function parseRequest(text = ''): unknown {
  const value = parse(text);
  if (value === undefined) throw new FormatError('The body of the request is not JSON.', '');
  return value;
}

/** Returns `undefined` if the bytes are not UTF-8. Checking them before decoding is several times faster. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  const buffer = asBuffer(bytes);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) return undefined;
  const text = buffer.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Returns `undefined` if the text is not JSON. No JSON text has this value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
