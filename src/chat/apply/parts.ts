/** The parts of a component or a page in other languages, each between its tags at the beginning of the line. */

const PART = /^<(script|style|template)\b[^<]*>$/;

/** The tag of the part that begins with this line. */
export function partAt(line = ''): string | undefined {
  return PART.exec(line)?.[1];
}

/** Whether the last part has no end. */
export function endsInPart(lines: readonly string[]): boolean {
  const last = lines.findLastIndex((line) => PART.test(line));
  const tag = partAt(lines[last]);
  return tag !== undefined && !lines.slice(last + 1).some((line) => line.startsWith(`</${tag}>`));
}
