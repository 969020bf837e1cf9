/** Reads the commands of a shell block of an answer. */

/** The prompt of a shell before a command, as in the transcript of a terminal. */
const PROMPT = /^\s*(?:PS [^>]*>|[$%>❯])[ \t]+(?=\S)/;
/** The start of a text that the next lines belong to: a here-document. */
const HERE_DOCUMENT = /<<[-~]?\s*["'\\]?\w/;

/**
 * Returns what a person would type. In a transcript these are the lines after a prompt, without their output. Comments
 * are removed, because zsh does not accept them at its prompt.
 */
export function commandsIn(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const typed = withoutOutput(lines);
  const commands = hasLiteralLines(text) ? typed : typed.filter((line) => !/^\s*#/.test(line)).map(withoutComment);
  return commands.join('\n').trim() || text.trim();
}

/** Whether its first line with text has a prompt. A line that ends with a backslash continues on the next one. */
function withoutOutput(lines: readonly string[]): readonly string[] {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*#/.test(line)) ?? '';
  if (!PROMPT.test(first)) return lines;
  return lines.filter((line, index) => PROMPT.test(line) || lines[index - 1]?.endsWith('\\')).map(withoutPrompt);
}

function withoutPrompt(line: string): string {
  return line.replace(PROMPT, '');
}

/** `#` begins a comment after a space, outside quotes. */
function withoutComment(line: string): string {
  return /^((?:[^"'\\#]|\\.|"(?:\\.|[^"\\])*"|'[^']*'|(?<!\s)#)*?)\s#\s.*$/.exec(line)?.[1]?.trimEnd() ?? line;
}

/** Whether a line may be part of a text, where `#` begins no comment. */
function hasLiteralLines(text: string): boolean {
  return (
    HERE_DOCUMENT.test(text) ||
    text.split('\n').some((line) => line.replace(/\\./g, '').split(/["'`]/).length % 2 === 0)
  );
}
