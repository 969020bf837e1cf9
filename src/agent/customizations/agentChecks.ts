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

/**
 * The tools and models that the file of an agent names, and that do not exist here.
 * @param foreign the names of tools of other extensions.
 * @param models the IDs of the catalog; empty while it is not known.
 */
export function agentProblems(
  { tools = [], disallowedTools, models: named, lineOf }: AgentFile,
  foreign: readonly string[],
  models: readonly string[],
): readonly FileProblem[] {
  const available = [...OWN_TOOLS, ...foreign];
  const warning = (line: number, message: string): FileProblem => ({ line, message, severity: 'warning' });
  const unknown = (names: readonly string[], member: string) =>
    toolsNamed(names, available).unknown.map((name) =>
      warning(lineOf(member), l10n.t('There is no tool “{0}” here. The agent works without it.', name)),
    );
  const isAnswered = models.length === 0 || named.length === 0 || named.some((name) => modelNamed(name, models));
  return [
    ...unknown(tools, 'tools'),
    ...unknown(disallowedTools, 'disallowedTools'),
    ...(isAnswered
      ? []
      : [
          warning(lineOf('model'), l10n.t('There is no model “{0}”. The model of the chat is used.', named.join(', '))),
        ]),
  ];
}
