/** The end of an output that waits for an answer, or gave up because there was none. */
const QUESTION =
  /(?:[[(](?:y(?:es)?\/n(?:o)?(?:\/[^\])]*)?)[\])]|\?|password[^\n:]*:|passphrase[^\n:]*:)[ \t:›>?]*(?:abort(?:ed|ing)?\W*)?$/i;
/** What programs write that need a terminal for their question. */
const NEEDS_TERMINAL =
  /a terminal is required|not a (?:tty|terminal)|non.tty|no tty present|\/dev\/tty|inappropriate ioctl|terminal prompts disabled|EOF when reading a line|asking for approval: EOF|non-?interactive|not running interactively|unable to prompt/i;
/** Commands that ask without writing the question, because they have no terminal. */
const ASKS = /\bread\s+(?:-\w+\s+)*-\w*p\b|\bRead-Host\b/;

/** A line that is not ended, and has space for an answer. */
const OPEN_LINE = /[:?>\])][ \t]$/;
/** A line with a question and what it begins its answer with. */
const OPEN_QUESTION = /\?.*[:)\]›>][ \t]*$/;

/** Whether a command asked a question, as far as its last line or its words show. */
export function asksQuestion(command: string, output: string): boolean {
  const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
  return (
    OPEN_LINE.test(output) ||
    QUESTION.test(lastLine) ||
    NEEDS_TERMINAL.test(output.slice(-2000)) ||
    (output === '' && ASKS.test(command))
  );
}

/** Whether a command that is silent seems to wait for an answer: its last line is not ended, and has space for one. */
export function waitsForAnswer(output: string): boolean {
  const lastLine = output.slice(output.lastIndexOf('\n') + 1);
  return OPEN_LINE.test(lastLine) || QUESTION.test(lastLine) || OPEN_QUESTION.test(lastLine);
}
