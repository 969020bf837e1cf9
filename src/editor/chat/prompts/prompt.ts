/** A prompt of the library: a Markdown file, with a description in its front matter where it has one. */
export interface Prompt {
  /** Without the file's ending; what is typed after the slash. */
  readonly name: string;
  readonly description: string;
  /** With its variables as they were written. */
  readonly body: string;
}

/** What stands for something that is filled in before sending. */
export type Variable = 'selection' | 'file' | 'clipboard';

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;
const DESCRIPTION = /^description:[ \t]*(.+?)[ \t]*$/m;
const VARIABLE = /\$\{(selection|file|clipboard)\}/g;
const SHORT = 80;

export function readPrompt(fileName: string, source: string): Prompt {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const front = FRONT_MATTER.exec(text);
  const body = text.slice(front?.[0].length ?? 0).trim();
  const described = DESCRIPTION.exec(front?.[1] ?? '')?.[1]?.replace(/^(["'])(.*)\1$/, '$2');
  return { name: fileName.replace(/(?:\.prompt)?\.md$/i, ''), description: described ?? firstLine(body), body };
}

export function variablesIn(body: string): ReadonlySet<Variable> {
  return new Set([...body.matchAll(VARIABLE)].map(([, name]) => name as Variable));
}

/** Puts the values in the places of the variables. What is filled in is not looked at again. */
export function fillIn(body: string, values: Readonly<Partial<Record<Variable, string>>>): string {
  return body.replaceAll(VARIABLE, (whole, name: Variable) => values[name] ?? whole);
}

function firstLine(body: string): string {
  const line = (body.split('\n', 1)[0] ?? '').replace(/^#+\s*/, '');
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}
