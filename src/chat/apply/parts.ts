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

/** The most lines of a component that are read for the attribute that tells it from others. */
const MAX_ATTRIBUTES = 20;

/** The first tag of a component, whose attributes may have a line each, in one line. */
export function openingTag(lines: readonly string[]): string {
  const texts = lines.slice(0, MAX_ATTRIBUTES).map((line) => line.trim());
  const last = texts.findIndex((text) => text.endsWith('>') && !text.endsWith('=>'));
  return (last === -1 ? texts : texts.slice(0, last + 1)).join(' ');
}
