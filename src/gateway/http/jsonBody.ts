import { isAscii, isUtf8 } from 'node:buffer';
import { FormatError } from '../../formats/apiError.ts';
import { asBuffer } from './asBuffer.ts';

/**
 * Programs nest JSON some dozen levels deep. Recursive functions overflow the stack at some thousand levels, each at a
 * different one, so one limit is checked before any of them runs.
 */
const MAX_DEPTH = 500;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Maximum number of values in one body. Each member of an object counts as two. Reading a request blocks the event loop
 * for some microseconds per value. The longest conversations of agents, with hundreds of tools, have some tens of
 * thousands.
 */
const MAX_VALUES = 250_000;

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
  const text = decodeUtf8(body) ?? '';
  const { excess, members } = measured(text, MAX_VALUES);
  if (excess !== undefined) throw new FormatError(`The body of the request ${EXCESSES[excess]}`, '');
  const value = parse(text);
  if (value === undefined) throw new FormatError('The body of the request is not JSON.', '');
  return { value, members };
}

/** Parses a body that may not be JSON. Returns `undefined` if it is not, or if it is nested too deep. */
export function parseJsonBody(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  return text === undefined || isTooDeep(text) ? undefined : parse(text);
}

/** Whether a JSON text is nested deeper than programs write it. */
export function isTooDeep(json: string): boolean {
  return measured(json, Number.POSITIVE_INFINITY).excess === 'depth';
}

type Excess = 'depth' | 'values';

const EXCESSES: Readonly<Record<Excess, string>> = {
  depth: `is nested too deep: ${MAX_DEPTH} levels at most.`,
  values: `has too many values: ${MAX_VALUES} at most, each member of an object as two.`,
};

const [SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [OPENING_BRACKET, OPENING_BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Checks a JSON text against the limits and counts the members of its objects. Reads the text once, and stops at the
 * first excess.
 */
function measured(json: string, maxValues: number): { readonly excess?: Excess; readonly members: number } {
  let depth = 0;
  let values = 1;
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case SPACE:
        while (json.charCodeAt(at + 1) === SPACE) at++;
        break;
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++;
        values++;
        if (depth > MAX_DEPTH) return { excess: 'depth', members };
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
      case COMMA:
        values++;
        break;
      case COLON:
        values++;
        members++;
        break;
    }
    if (values > maxValues) return { excess: 'values', members };
  }
  return { members };
}

/**
 * A string with this many escaped quotes in this many characters is scanned one character at a time, which is faster
 * then.
 */
const DENSE = { quotes: 32, characters: 256 };

/** Returns the position of the quote that closes the string whose opening quote is at `start`. */
function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  let sampled = start;
  for (let escaped = 1; quote !== -1 && isEscaped(json, quote); escaped++) {
    if (escaped % DENSE.quotes === 0) {
      if (quote - sampled < DENSE.characters) return endOfDenseString(json, quote + 1);
      sampled = quote;
    }
    quote = json.indexOf('"', quote + 1);
  }
  return quote === -1 ? json.length : quote;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote - 1;
  while (json.charCodeAt(at) === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}

/** `from` is inside the string, and not after a backslash that escapes the character there. */
function endOfDenseString(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return json.length;
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
