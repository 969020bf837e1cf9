/** The most characters of a result that a model gets: about 8,000 tokens. */
const MAX_RESULT = 32_000;
const MAX_LINE = 120;
/** The end of an output in which its last lines are looked for, in characters. */
const LAST_PART = 8000;

/** Truncates a long text in the middle, with a note on how to read the rest. */
export function cutMiddle(text: string, howToRead: string, maxLength = MAX_RESULT): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  const left = text.length - 2 * half;
  return `${start}\n\n[${left} characters are omitted here. ${howToRead}]\n\n${end}`;
}

/** The first line of a result, for the user. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}

/** The last lines of a command's output, without control sequences. */
export function lastLines(output: string, count: number): string {
  const lines = plainOutput(output.slice(-LAST_PART)).trimEnd().split('\n');
  return lines.slice(-count).join('\n');
}

const ESCAPE = '\u001B';
/** What moves the cursor to the beginning of the line, or clears it, besides a carriage return. */
const TO_LINE_START = new RegExp(`${ESCAPE}\\[(?:[01]?G|2K)`, 'g');
/** Texts for the terminal itself, such as a title or an image, then what moves, colors, or switches, then other controls. */
const CONTROLS = new RegExp(
  [
    `${ESCAPE}[\\]PX^_][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)`,
    `(?:${ESCAPE}\\[|\\u009B)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[ -/]*[0-~]`,
    '[\\0-\\u0007\\u000E-\\u001F\\u007F]',
  ].join('|'),
  'g',
);

/** Removes the control sequences of terminals. A line or a character that was written over keeps its last text. */
export function plainOutput(output: string): string {
  const returned = output.replaceAll(TO_LINE_START, '\r');
  const lines = returned.replaceAll(CONTROLS, '').replaceAll('\r\n', '\n').split('\n');
  return lines.map(lastWritten).join('\n');
}

function lastWritten(line: string): string {
  const text = line.replace(/\r+$/, '');
  const last = text.slice(text.lastIndexOf('\r') + 1);
  if (!last.includes('\b')) return last;
  const kept: string[] = [];
  for (const character of last) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
