import { FormatError } from '../../formats/apiError.ts';

/**
 * Programs nest JSON some dozen levels deep. Whoever walks through it by recursion runs out of stack at some thousand,
 * and each at another one; so there is one limit, before anybody walks.
 */
const MAX_DEPTH = 500;

/**
 * The value of a request's body.
 * @throws {FormatError} when it is not JSON, or nested too deep.
 */
export function readJsonBody(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  if (text !== undefined && isTooDeep(text)) {
    throw new FormatError(`The body of the request is nested too deep: ${MAX_DEPTH} levels at most.`, '');
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

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `undefined` when it is none; JSON itself knows no such value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
