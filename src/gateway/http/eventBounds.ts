/** Finds where server-sent events begin and end in bytes, with the native search. */

/** Returns the bounds of the event that contains this position. The blank line after it is a part of it. */
export function boundsOfEvent(events: Buffer, at: number): { readonly start: number; readonly end: number } {
  const length = endOfFirstEvent(events.subarray(at));
  return { start: endOfLastEvent(events.subarray(0, at)), end: length === -1 ? events.length : at + length };
}

export const LF = 0x0a;
export const CR = 0x0d;
const BLANK_LINE = '\n\n';
const BLANK_LINE_CRLF = '\n\r\n';

export function endOfFirstEvent(bytes: Buffer): number {
  const plain = bytes.indexOf(BLANK_LINE);
  // An earlier one begins before the one that was found, so a long piece is not searched to its end.
  const before = plain === -1 ? bytes : bytes.subarray(0, plain + BLANK_LINE.length);
  const withReturn = before.indexOf(BLANK_LINE_CRLF);
  if (withReturn !== -1) return withReturn + BLANK_LINE_CRLF.length;
  return plain === -1 ? -1 : plain + BLANK_LINE.length;
}

/** Returns 0 if no event ends in these bytes. */
export function endOfLastEvent(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF && bytes[length - 2] === LF) return length;
  const plain = bytes.lastIndexOf(BLANK_LINE);
  // Only a later one counts, so a long piece is not searched to its beginning.
  const from = plain + 1;
  const withReturn = bytes.subarray(from).lastIndexOf(BLANK_LINE_CRLF);
  if (withReturn !== -1) return from + withReturn + BLANK_LINE_CRLF.length;
  return plain === -1 ? 0 : plain + BLANK_LINE.length;
}
