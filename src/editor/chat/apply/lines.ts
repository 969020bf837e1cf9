/** Lines with the break that ends each of them, so that joining them gives the text again. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** A line without the break that ends it. */
export function bare(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** The break that a text uses, `\n` where it has none. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The spaces and tabs that a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
