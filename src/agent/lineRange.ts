/** The characters that are kept of a range of lines. More would be truncated for the model anyway. */
const MAX_KEPT = 200_000;
/** How the marks at the beginning of a file say that it is UTF-16. */
const UTF_16: readonly (readonly [label: string, first: number, second: number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

export interface LineRange {
  readonly lines: readonly string[];
  /** Whether the file has lines after them. */
  readonly hasMore: boolean;
}

/**
 * Reads some lines of a file that is too large to be read as a whole, and stops after them.
 * @param first the first line, counted from 1.
 * @returns undefined for a file that is not text.
 */
export async function lineRange(
  chunks: AsyncIterable<Uint8Array>,
  first: number,
  last: number,
): Promise<LineRange | undefined> {
  let decoder: TextDecoder | undefined;
  let number = 1;
  let kept = 0;
  const lines: string[] = [];
  let line = '';
  for await (const chunk of chunks) {
    const label = UTF_16.find(([, one, two]) => chunk[0] === one && chunk[1] === two)?.[0] ?? 'utf-8';
    decoder ??= new TextDecoder(label);
    if (decoder.encoding === 'utf-8' && chunk.includes(0)) return undefined;
    const [rest = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    line = number < first ? '' : line + rest;
    for (const next of others) {
      if (number >= first) {
        lines.push(line.replace(/\r$/, ''));
        kept += line.length;
      }
      number += 1;
      line = next;
      if (number > last || kept > MAX_KEPT) return { lines, hasMore: true };
    }
    if (line.length > MAX_KEPT) return { lines: [...lines, line.slice(0, MAX_KEPT)], hasMore: true };
  }
  return { lines: number < first ? lines : [...lines, line.replace(/\r$/, '')], hasMore: false };
}
