import type { DiffLine } from '../../pages/chat/protocol.ts';

/** Returns HTML that contains only escaped code and spans with classes; undefined for an unknown language. */
type Highlight = (code: string, language: string) => string | undefined;

/** The HTML of lines of a file. Lines before and after a change are highlighted apart, because they are two texts. */
export function coloredLines(
  lines: readonly DiffLine[],
  file: string,
  highlight: Highlight,
): readonly (string | undefined)[] {
  const language = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const html: (string | undefined)[] = lines.map(() => undefined);
  for (const isRemoved of [true, false]) {
    const places = [...lines.keys()].filter((index) => (lines[index]?.kind === 'removed') === isRemoved);
    const colored = highlight(places.map((index) => lines[index]?.text).join('\n'), language);
    if (colored === undefined) continue;
    for (const [at, line] of closedLines(colored).entries()) html[places[at] ?? lines.length] = line;
  }
  return html.slice(0, lines.length);
}

/** Splits HTML into lines. A span over several lines is closed at the end of each, and opened again on the next. */
function closedLines(html: string): readonly string[] {
  let open: readonly string[] = [];
  return html.split('\n').map((line) => {
    const begun = open.join('');
    for (const tag of line.match(/<[^>]*>/g) ?? []) open = tag === '</span>' ? open.slice(0, -1) : [...open, tag];
    return `${begun}${line}${'</span>'.repeat(open.length)}`;
  });
}
