import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { asksQuestion } from '../../../agent/commandQuestions.ts';
import { deletedOutside, hasGap, hiddenCharacter } from '../../../agent/commandRules.ts';
import { cutMiddle, lastLines, plainOutput } from '../../../agent/cutText.ts';
import type { CommandResult } from '../../../agent/shellCommand.ts';
import { type AgentTool, defineTool, ToolError, text } from '../../../agent/tools/tool.ts';
import { redactKeys } from '../../../service/redact.ts';
import type { CommandTerminals } from '../commandTerminals.ts';
import { folderNamed } from '../workspacePaths.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;
/** The lines of the output that a step shows. */
const SHOWN_LINES = 6;
const MAX_OUTPUT = 16_000;

export function commandTool(terminals: CommandTerminals): AgentTool {
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
    'output and exit code. Each command starts in the folder, with the variables of a new terminal and an empty input.';
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
          const result = await terminals.run(command, {
            folder: folder.uri,
            timeoutMs: (seconds ?? DEFAULT_SECONDS) * 1000,
            signal,
            onOutput: (output) => report({ output: redactKeys(lastLines(output, SHOWN_LINES)) }),
          });
          const { exitCode, end } = result;
          // Terminals can have a local key in their environment.
          const output = redactKeys(plainOutput(result.output).trim());
          const shown = cutMiddle(output, 'Run a command that prints less to see it.', MAX_OUTPUT);
          const isQuestion = asksQuestion(command, output) && exitCode !== 0;
          const head = [headOf(result), ...placeOf(folder), ...(isQuestion ? [QUESTION] : []), ...restOf(result)];
          return {
            text: `${head.join(' ')}\n${shown === '' ? '(no output)' : shown}`,
            isError: exitCode !== 0,
            source: { name: command, isFile: false },
            action: {
              state: end === 'exit' && exitCode === 0 ? 'done' : 'failed',
              output: lastLines(output, SHOWN_LINES),
              ...(isQuestion && { note: l10n.t('It asked a question, and cannot read an answer.') }),
              ...(exitCode !== undefined && { exitCode }),
            },
          };
        },
      };
    },
  );
}

const QUESTION =
  'It asked a question, but has no input. Use an option that answers it, or ask the user to run it in a terminal.';

function headOf({ exitCode, end, killedBy }: CommandResult): string {
  switch (end) {
    case 'timeout':
      return 'The command was stopped at its time limit. Its output until then:';
    case 'canceled':
      return 'The user canceled the command. Its output until then:';
    case 'interrupted':
      return 'The user interrupted the command in its terminal. Its output until then:';
    case 'closed':
      return 'The user closed the terminal, which ended the command. Its output until then:';
    case 'exit':
      return exitCode === undefined ? `The command was ended by ${killedBy}.` : `Exit code ${exitCode}.`;
  }
}

/** Where the command ran, if that is not the folder that is meant without a name. */
function placeOf(folder: vscode.WorkspaceFolder): readonly string[] {
  return folder.index === 0 ? [] : [`It ran in ${folder.uri.fsPath}.`];
}

function restOf({ endRest }: CommandResult): readonly string[] {
  return endRest === undefined ? [] : ['What it started in the background goes on until the terminal is closed.'];
}
