/** Splits a text into lines with their line breaks, so that joining them gives the text again. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  for (const [index, line] of lines.entries()) lines[index] = `${line}\n`;
  if (last !== '') lines.push(last);
  return lines;
}

/** Returns a line without its line break. */
export function bare(line: string): string {
  if (!line.endsWith('\n')) return line;
  return line.slice(0, line.endsWith('\r\n') ? -2 : -1);
}

/** Returns the text's line break, or `\n` if it has none. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Returns the spaces and tabs at the beginning of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
