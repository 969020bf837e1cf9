import * as z from 'zod/mini';
import { redactKeys } from '../../../service/redact.ts';
import { deletedOutside, hasGap, hiddenCharacter } from '../commandRules.ts';
import type { CommandTerminals } from '../commandTerminals.ts';
import { cutMiddle, lastLines, plainOutput } from '../cutText.ts';
import { folderNamed } from '../workspacePaths.ts';
import { type AgentTool, defineTool, ToolError, text } from './tool.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 1800;
/** The lines of the output that a step shows. */
const SHOWN_LINES = 6;
const MAX_OUTPUT = 16_000;

export function commandTool(terminals: CommandTerminals): AgentTool {
  const schema = z.object({
    command: text('The command line. It must end by itself and must not wait for input.'),
    folder: z.optional(text('Name of the workspace folder to run it in. Default: the first folder.')),
    timeout_seconds: z.optional(
      z
        .int()
        .check(z.minimum(1), z.maximum(MAX_SECONDS), z.describe(`Time limit in seconds. Default: ${DEFAULT_SECONDS}.`)),
    ),
  });
  const description = 'Runs a command in a terminal that the user sees, and returns its output and exit code.';
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
          return {
            text: `${headOf(result)}\n${shown === '' ? '(no output)' : shown}`,
            isError: exitCode !== 0,
            source: { name: command, isFile: false },
            action: {
              state: end === 'exit' && exitCode === 0 ? 'done' : 'failed',
              output: lastLines(output, SHOWN_LINES),
              ...(exitCode !== undefined && { exitCode }),
            },
          };
        },
      };
    },
  );
}

function headOf({ exitCode, end }: { readonly exitCode: number | undefined; readonly end: string }): string {
  if (end === 'timeout') return 'The command was stopped at its time limit. Its output until then:';
  if (end === 'canceled') return 'The user canceled the command. Its output until then:';
  return exitCode === undefined ? 'The command ended. Its exit code is not known.' : `Exit code ${exitCode}.`;
}
