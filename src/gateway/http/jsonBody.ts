import { isAscii, isUtf8 } from 'node:buffer';
import { FormatError } from '../../formats/apiError.ts';
import { asBuffer } from './asBuffer.ts';

/**
 * Programs nest JSON some dozen levels deep. Whoever walks through it by recursion runs out of stack at some thousand,
 * and each at another one; so there is one limit, before anybody walks.
 */
const MAX_DEPTH = 500;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Values in one body, each member of an object as two. What reads a request takes some microseconds for each, in which
 * nobody else is served. The longest conversations of agents, with hundreds of tools, have some tens of thousands.
 */
const MAX_VALUES = 250_000;

/**
 * The value of a request's body.
 * @throws {FormatError} when it is not JSON, nested too deep, or made of too many values.
 */
export function readJsonBody(body: Uint8Array): unknown {
  return readCountedJson(body).value;
}

export interface CountedJson {
  readonly value: unknown;
  /** Of all objects, as they are written: those that come twice count twice. */
  readonly members: number;
}

/** @throws {FormatError} as {@link readJsonBody}. */
export function readCountedJson(body: Uint8Array): CountedJson {
  const text = decodeUtf8(body) ?? '';
  const { excess, members } = measured(text, MAX_VALUES);
  if (excess !== undefined) throw new FormatError(`The body of the request ${EXCESSES[excess]}`, '');
  const value = parse(text);
  if (value === undefined) throw new FormatError('The body of the request is not JSON.', '');
  return { value, members };
}

/** The value of a body that need not be JSON; `undefined` when it is not, or nested too deep. */
export function parseJsonBody(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  return text === undefined || isTooDeep(text) ? undefined : parse(text);
}

/** Whether a text, if it is JSON, is nested deeper than any program writes it. */
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

/** What a text, if it is JSON, has too much of, and how many members its objects have. One pass, which ends there. */
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

/** So many escaped quotes in so few characters are dense: going character by character is faster than searching then. */
const DENSE = { quotes: 32, characters: 256 };

/** The place of the quote that closes the string whose first quote is at `start`. */
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

/** `from` is inside the string, and not behind a backslash that escapes what is there. */
function endOfDenseString(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return json.length;
}

/** `undefined` when the bytes are not UTF-8. Checking them apart from decoding them is several times faster. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  const buffer = asBuffer(bytes);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) return undefined;
  const text = buffer.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** `undefined` when it is none; JSON itself knows no such value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
