import { defined } from '../../formats/json.ts';
import { listOf, readFrontMatter, textOf } from './frontMatter.ts';

/** A prompt of the library: a Markdown file, optionally with front matter. */
export interface Prompt {
  /** Typed after the slash. Defaults to the file's name without its extension. */
  readonly name: string;
  readonly description: string;
  /** Who answers: `ask`, `agent`, or the name of an agent. Undefined for the chat's own. */
  readonly agent?: string;
  /** The first of them that exists answers. Empty for the chat's own. */
  readonly models: readonly string[];
  /** The tools that a run has, as the file names them. Undefined for those of the agent. */
  readonly tools?: readonly string[];
  /** The text with its variables unreplaced. */
  readonly body: string;
}

/** A placeholder that is replaced before sending. */
export type Variable = 'selection' | 'file' | 'clipboard';

const VARIABLE = /\$\{(selection|file|clipboard)\}/g;
const SHORT = 80;

export function readPrompt(fileName: string, source: string): Prompt {
  const { values, body } = readFrontMatter(source);
  const name = textOf(values.name) ?? fileName.replace(/(?:\.prompt)?\.md$/i, '');
  const agent = textOf(values.agent) ?? textOf(values.mode);
  return {
    name,
    description: textOf(values.description) ?? firstLine(body),
    models: listOf(values.model) ?? [],
    body,
    ...defined({ agent, tools: listOf(values.tools) }),
  };
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
