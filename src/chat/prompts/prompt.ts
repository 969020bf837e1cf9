/** A prompt of the library: a Markdown file, optionally with front matter. */
export interface Prompt {
  /** Typed after the slash. Defaults to the file's name without its extension. */
  readonly name: string;
  readonly description: string;
  /** The text with its variables unreplaced. */
  readonly body: string;
}

/** A placeholder that is replaced before sending. */
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

/** Replaces the variables with their values. Variables within the values are not replaced. */
export function fillIn(body: string, values: Readonly<Partial<Record<Variable, string>>>): string {
  return body.replaceAll(VARIABLE, (whole, name: Variable) => values[name] ?? whole);
}

function firstLine(body: string): string {
  const line = (body.split('\n', 1)[0] ?? '').replace(/^#+\s*/, '');
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}
