/** Clients write the model among the first members; a body that does not is not searched to its end. */
const SEARCHED_BYTES = 8 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * The value of the top-level member `model` of a JSON body, found without parsing it. `undefined` when it is not in
 * the first bytes or not a string. Says nothing about whether the rest is JSON.
 */
export function modelName(body: Uint8Array): string | undefined {
  const bytes = body.subarray(0, SEARCHED_BYTES);
  let depth = 0;
  let isKey = false;
  let key: string | undefined;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end === undefined) return undefined;
      if (depth === 1 && !isKey && key === 'model') return parseString(bytes, at, end);
      key = depth === 1 && isKey ? parseString(bytes, at, end) : undefined;
      isKey = false;
      at = end;
    } else if (OPENING.has(byte)) {
      depth++;
      isKey = depth === 1;
      key = undefined;
    } else if (CLOSING.has(byte)) {
      depth--;
      if (depth <= 0) return undefined;
    } else if (byte === COMMA && depth === 1) {
      isKey = true;
      key = undefined;
    }
  }
  return undefined;
}

/** The position of the quote that closes the string whose first quote is at `start`. */
function endOfString(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return undefined;
}

function parseString(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end + 1)));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
