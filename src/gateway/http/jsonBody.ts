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
 * The value of a request's body.
 * @throws {FormatError} when it is not JSON, or nested too deep.
 */
export function readJsonBody(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  if (text !== undefined && isTooDeep(text)) {
    throw new FormatError(`The body of the request is nested too deeply: at most ${MAX_DEPTH} levels are allowed.`, '');
  }
  const value = text === undefined ? undefined : parse(text);
  if (value === undefined) throw new FormatError('The body of the request is not JSON.', '');
  return value;
}

/** The value of a body that need not be JSON; `undefined` when it is not, or nested too deep. */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return readJsonBody(body);
  } catch {
    return undefined;
  }
}

/** Whether a text, if it is JSON, is nested deeper than any program writes it. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The place of the quote that closes the string whose first quote is at `start`. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at;
}

/** By an odd number of backslashes. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
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
