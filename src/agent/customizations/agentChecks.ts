import * as l10n from '@vscode/l10n';
import type { FileProblem } from '../../chat/prompts/frontMatter.ts';
import type { AgentFile } from './agentFile.ts';
import { modelNamed } from './modelNames.ts';
import { toolsNamed } from './toolNames.ts';

/** The tools of the agent itself. */
export const OWN_TOOLS: readonly string[] = [
  'read_file',
  'list_files',
  'find_files',
  'search_text',
  'get_problems',
  'get_changes',
  'fetch_page',
  'edit_file',
  'create_file',
  'rename_file',
  'delete_file',
  'run_command',
  'check_command',
  'update_plan',
  'ask_user',
  'use_skill',
  'run_helpers',
];

/** What an agent can name besides the agent's own tools. */
export interface ExistingNames {
  /** The tools of other extensions. */
  readonly tools: readonly string[];
  /** The IDs of the catalog; empty while it is not known. */
  readonly models: readonly string[];
  readonly hasAgent: (name: string) => boolean;
}

/** The tools, models, and agents that the file of an agent names, and that do not exist here. */
export function agentProblems(
  { tools = [], disallowedTools, models: named, handoffs, agents = [], lineOf }: AgentFile,
  { tools: foreign, models, hasAgent }: ExistingNames,
): readonly FileProblem[] {
  const available = [...OWN_TOOLS, ...foreign];
  const warning = (line: number, message: string): FileProblem => ({ line, message, severity: 'warning' });
  const unknown = (names: readonly string[], member: string) =>
    toolsNamed(names, available).unknown.map((name) =>
      warning(lineOf(member), l10n.t('There is no tool “{0}” here. The agent works without it.', name)),
    );
  const isAnswered = models.length === 0 || named.length === 0 || named.some((name) => modelNamed(name, models));
  const unknownAgents = (names: readonly string[], member: string) =>
    names.filter((name) => !hasAgent(name)).map((name) => warning(lineOf(member), noAgent(name)));
  return [
    ...unknownAgents(
      handoffs.map(({ agent }) => agent),
      'handoffs',
    ),
    ...unknownAgents(agents, 'agents'),
    ...unknown(tools, 'tools'),
    ...unknown(disallowedTools, 'disallowedTools'),
    ...(isAnswered
      ? []
      : [
          warning(lineOf('model'), l10n.t('There is no model “{0}”. The model of the chat is used.', named.join(', '))),
        ]),
  ];
}

function noAgent(name: string): string {
  return l10n.t('There is no agent “{0}”.', name);
}
