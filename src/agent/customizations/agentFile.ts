/** Agents of the user's own: `*.agent.md` of the editor's chat, and Claude Code's `agents/*.md`. */
import * as l10n from '@vscode/l10n';
import { type FileProblem, listOf, readFrontMatter, textOf } from '../../chat/prompts/frontMatter.ts';
import { baseName } from '../../files/paths.ts';
import { defined, isRecord } from '../../formats/json.ts';

/** A next step that is offered when a run of the agent has ended. */
export interface Handoff {
  readonly label: string;
  /** The name of the agent that takes over. */
  readonly agent: string;
  readonly prompt: string;
  /** Whether the prompt is sent at once. */
  readonly send: boolean;
  readonly model?: string;
}

export interface AgentFile {
  readonly name: string;
  readonly description: string;
  /** The text for the model. */
  readonly instructions: string;
  /** As the file names them. Undefined if the agent has all tools. */
  readonly tools?: readonly string[];
  /** Tools that it does not have, as the file names them. */
  readonly disallowedTools: readonly string[];
  /** The first of them that exists answers. Empty for the model of the chat. */
  readonly models: readonly string[];
  readonly handoffs: readonly Handoff[];
  /** The agents that it may give parts of its task to. Undefined for all. */
  readonly agents?: readonly string[];
  /** Whether the person can choose it for a chat. */
  readonly isForPerson: boolean;
  /** Whether another agent can give it a part of its task. */
  readonly isForAgents: boolean;
  readonly problems: readonly FileProblem[];
  lineOf(name: string): number;
}

/** The ending of the file's name that is no part of the agent's name. */
const ENDING = /(?:\.agent|\.chatmode)?\.md$/i;

export function readAgentFile(source: string, path: string): AgentFile {
  const { values, body, problems, lineOf } = readFrontMatter(source);
  const { infer, 'user-invocable': user = infer, 'disable-model-invocation': noModel = infer === false } = values;
  const description = textOf(values.description) ?? '';
  const handoffs = Array.isArray(values.handoffs) ? values.handoffs : [];
  return {
    name: textOf(values.name) ?? baseName(path).replace(ENDING, ''),
    description,
    instructions: body,
    disallowedTools: listOf(values.disallowedTools) ?? toolsThatAre(false, values.tools) ?? [],
    models: modelsIn(values.model),
    handoffs: handoffs.flatMap((handoff) => readHandoff(handoff) ?? []),
    isForPerson: user !== false,
    isForAgents: noModel !== true,
    lineOf,
    problems: [
      ...problems,
      ...handoffs.flatMap((handoff) => (readHandoff(handoff) === undefined ? brokenHandoff(lineOf('handoffs')) : [])),
      ...(problems.length === 0 && body === '' && description === '' ? [emptyFile()] : []),
    ],
    ...defined({
      tools: listOf(values.tools) ?? toolsThatAre(true, values.tools),
      agents: namedAgents(values.agents),
    }),
  };
}

/** opencode writes an object with a boolean for each tool. Without one that is true, only those that are false are held back. */
function toolsThatAre(value: boolean, tools: unknown): readonly string[] | undefined {
  if (!isRecord(tools)) return undefined;
  const names = Object.keys(tools).filter((name) => tools[name] === value);
  return names.length === 0 ? undefined : names;
}

/** The editor writes `*` for all. */
function namedAgents(value: unknown): readonly string[] | undefined {
  const names = listOf(value);
  return names?.includes('*') ? undefined : names;
}

/** Claude Code writes `inherit` for the model of the conversation. */
function modelsIn(value: unknown): readonly string[] {
  return (listOf(value) ?? []).filter((name) => name !== 'inherit');
}

function readHandoff(value: unknown): Handoff | undefined {
  if (!isRecord(value)) return undefined;
  const [label, agent] = [textOf(value.label), textOf(value.agent)];
  if (label === undefined || agent === undefined) return undefined;
  const prompt = textOf(value.prompt) ?? '';
  return { label, agent, prompt, send: value.send === true, ...defined({ model: textOf(value.model) }) };
}

function brokenHandoff(line: number): FileProblem[] {
  return [{ line, message: l10n.t('A handoff needs a “label” and an “agent”.'), severity: 'warning' }];
}

function emptyFile(): FileProblem {
  return { line: 1, message: l10n.t('The agent has neither a description nor instructions.'), severity: 'warning' };
}
