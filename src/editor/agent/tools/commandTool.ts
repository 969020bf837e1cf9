import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { asksQuestion } from '../../../agent/commandQuestions.ts';
import { deletedOutside, hasGap, hiddenCharacter } from '../../../agent/commandRules.ts';
import { cutMiddle, lastLines, plainOutput } from '../../../agent/cutText.ts';
import type { CommandResult } from '../../../agent/shellCommand.ts';
import { isPowerShell } from '../../../agent/shells.ts';
import { type AgentTool, defineTool, ToolError, type ToolOutcome, text } from '../../../agent/tools/tool.ts';
import { defined } from '../../../formats/json.ts';
import { redactKeys } from '../../../service/redact.ts';
import type { CommandTerminals } from '../commandTerminals.ts';
import { folderNamed } from '../workspacePaths.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;
/** The lines of the output that a step shows. */
const SHOWN_LINES = 6;
const MAX_OUTPUT = 16_000;

export function commandTool(terminals: CommandTerminals): AgentTool {
  const environments = terminals.newEnvironments();
  const schema = z.object({
    command: text('The command line. It must end by itself.'),
    folder: z.optional(text('Name of the workspace folder to run it in. Default: the first folder.')),
    timeout_seconds: z.optional(
      z
        .int()
        .check(z.minimum(1), z.maximum(MAX_SECONDS), z.describe(`Time limit in seconds. Default: ${DEFAULT_SECONDS}.`)),
    ),
  });
  const description =
    `Runs a command line in a new process of ${terminals.shellName}, in a terminal that the user sees, and returns its ` +
    'output and exit code. Each command starts in the folder, with the variables of a new terminal, without aliases, and ' +
    'with an empty input.';
  return defineTool(
    'run_command',
    description,
    schema,
    ({ command: written, folder: name, timeout_seconds: seconds }) => {
      const command = written.trim();
      if (command === '') throw new ToolError('The command is empty.');
      const hidden = hiddenCharacter(command);
      if (hidden !== undefined) throw new ToolError(`The command contains ${hidden}, which is invisible. Omit it.`);
      if (hasGap(command)) throw new ToolError('The command contains many spaces or blank lines in a row. Omit them.');
      const folder = folderNamed(name);
      if (folder.uri.scheme !== 'file') {
        throw new ToolError(
          `Commands cannot run in ${folder.name}: it is not a folder on a disk (${folder.uri.scheme}).`,
        );
      }
      const outside = deletedOutside(command);
      const denied = outside === undefined ? {} : { deletesOutside: outside };
      return {
        action: { kind: 'command', object: command },
        need: { kind: 'command', subject: command, folder: folder.name, ...denied },
        run: async ({ signal, report }) => {
          const timeoutMs = (seconds ?? DEFAULT_SECONDS) * 1000;
          const { variables: env, isComplete } = await environments.of(folder.uri);
          if (signal.aborted) throw new ToolError('The user canceled the command before it began.');
          const result = await terminals.run(command, {
            folder: folder.uri,
            env,
            timeoutMs,
            signal,
            onOutput: (output) => report({ output: redactKeys(lastLines(output, SHOWN_LINES)) }),
          });
          const head = [
            headOf(result, timeoutMs),
            ...(result.end === 'timeout' ? [backgroundAdvice(terminals.shellName)] : []),
            ...placeOf(folder),
            ...(isComplete ? [] : [INCOMPLETE]),
            ...restOf(result),
          ];
          return outcomeOf(command, result, head);
        },
      };
    },
  );
}

function outcomeOf(
  command: string,
  { output: written, exitCode, end }: CommandResult,
  head: readonly string[],
): ToolOutcome {
  // Variables can contain keys.
  const output = redactKeys(plainOutput(written).trim());
  const shown = cutMiddle(output, 'Run a command that prints less to see it.', MAX_OUTPUT);
  const isQuestion = end === 'exit' && exitCode !== 0 && asksQuestion(command, redactKeys(plainOutput(written)));
  return {
    text: `${[...head, ...(isQuestion ? [QUESTION] : [])].join(' ')}\n${shown === '' ? '(no output)' : shown}`,
    isError: exitCode !== 0,
    source: { name: command, isFile: false },
    action: {
      state: end === 'exit' && exitCode === 0 ? 'done' : 'failed',
      output: lastLines(output, SHOWN_LINES),
      ...noteOf(end, isQuestion),
      ...defined({ exitCode }),
    },
  };
}

function noteOf(end: CommandResult['end'], isQuestion: boolean): { readonly note?: string } {
  if (isQuestion) return { note: l10n.t('It asked a question, and cannot read an answer.') };
  if (end === 'fullScreen') return { note: l10n.t('It opened a program that fills a screen, and was stopped.') };
  return end === 'timeout' ? { note: l10n.t('It was stopped at its time limit.') } : {};
}

const INCOMPLETE =
  'The editor did not give the variables of a new terminal, so those of other extensions are missing, such as an activated Python environment.';
const QUESTION =
  'It asked a question, but has no input. Use an option that answers it, or ask the user to run it in a terminal.';

function headOf({ exitCode, end, killedBy }: CommandResult, timeoutMs: number): string {
  switch (end) {
    case 'timeout':
      return `The command had not ended after ${timeoutMs / 1000} seconds, its time limit, and was stopped.`;
    case 'canceled':
      return 'The user canceled the command.';
    case 'interrupted':
      return 'The user interrupted the command in its terminal.';
    case 'closed':
      return 'The user closed the terminal, which ended the command.';
    case 'fullScreen':
      return 'The command opened a program that fills a screen, such as an editor or a pager, and was stopped. Nobody can use it here: run a command that prints its result.';
    case 'exit':
      return exitCode === undefined ? `The command was ended by ${killedBy}.` : `Exit code ${exitCode}.`;
  }
}

/** A server or a watcher does not end by itself. */
function backgroundAdvice(shell: string): string {
  return `Run a server or a watcher in the background with its output in a file, such as ${inBackground(shell)}, and read that file. Set timeout_seconds for a command that takes longer.`;
}

function inBackground(shell: string): string {
  if (shell === 'cmd') return '`start /b npm run dev > dev.log 2>&1`';
  if (isPowerShell(shell)) return '`Start-Process` with `-RedirectStandardOutput dev.log`';
  return '`npm run dev > dev.log 2>&1 &`';
}

/** Where the command ran, if that is not the folder that is meant without a name. */
function placeOf(folder: vscode.WorkspaceFolder): readonly string[] {
  return folder.index === 0 ? [] : [`It ran in ${folder.uri.fsPath}.`];
}

function restOf({ endRest }: CommandResult): readonly string[] {
  return endRest === undefined ? [] : ['What it started in the background goes on until the terminal is closed.'];
}
