import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CommandProcess, WaitEnd } from '../../../agent/commandProcess.ts';
import { asksQuestion } from '../../../agent/commandQuestions.ts';
import { deletedOutside, hasGap, hiddenCharacter } from '../../../agent/commandRules.ts';
import { skillOfCommand } from '../../../agent/customizations/skillUse.ts';
import { cutMiddle, lastLines, plainOutput } from '../../../agent/cutText.ts';
import type { CommandResult } from '../../../agent/shellCommand.ts';
import {
  type AgentTool,
  defineTool,
  ToolError,
  type ToolOutcome,
  type ToolProgress,
  text,
} from '../../../agent/tools/tool.ts';
import { defined } from '../../../formats/json.ts';
import { redactKeys } from '../../../service/redact.ts';
import type { FolderOfSkill } from '../../chat/customizations/skillText.ts';
import type { RunCommands } from '../commandProcesses.ts';
import { folderNamed } from '../workspacePaths.ts';

const DEFAULT_SECONDS = 120;
export const MAX_SECONDS = 1800;
/** The lines of the output that a step shows. */
const SHOWN_LINES = 6;
export const MAX_OUTPUT = 16_000;
/** How long a command in the background is watched before the model goes on, so that it learns if it ends at once. */
const SETTLE_MS = 2000;
/** Longer than any command runs that has a limit. */
export const MAX_WAIT_MS = 2 * MAX_SECONDS * 1000;

export function runCommandTool(commands: RunCommands, skills: readonly FolderOfSkill[] = []): AgentTool {
  const schema = z.object({
    command: text('The command line. It must end by itself, or run in the background.'),
    folder: z.optional(text('Name of the workspace folder to run it in. Default: the first folder.')),
    timeout_seconds: z.optional(
      z
        .int()
        .check(z.minimum(1), z.maximum(MAX_SECONDS), z.describe(`Time limit in seconds. Default: ${DEFAULT_SECONDS}.`)),
    ),
    background: z.optional(
      z
        .boolean()
        .check(
          z.describe(
            'For a server or a watcher: returns after two seconds, and the command goes on without a time limit until you are done. Continue with check_command.',
          ),
        ),
    ),
  });
  const description =
    `Runs a command line in a new process of ${commands.shellName}, in a terminal that the user sees, and returns its ` +
    'output and exit code. Each command starts in the folder, with the variables of a new terminal, without aliases, and ' +
    'with an empty input.';
  return defineTool('run_command', description, schema, ({ command: written, folder: name, background, ...args }) => {
    const command = checked(written);
    const folder = folderNamed(name);
    if (folder.uri.scheme !== 'file') {
      throw new ToolError(
        `Commands cannot run in ${folder.name}: it is not a folder on a disk (${folder.uri.scheme}).`,
      );
    }
    const outside = deletedOutside(command);
    const denied = outside === undefined ? {} : { deletesOutside: outside };
    const timeoutMs = background === true ? undefined : (args.timeout_seconds ?? DEFAULT_SECONDS) * 1000;
    return {
      action: { kind: 'command', object: command },
      need: {
        kind: 'command',
        subject: command,
        folder: folder.name,
        ...denied,
        ...defined({ skill: skillOfCommand(command, skills) }),
      },
      run: (progress) => run(command, { folder, timeoutMs }, commands, progress),
    };
  });
}

/** @throws {ToolError} for a command that the person could not judge. */
function checked(written: string): string {
  const command = written.trim();
  if (command === '') throw new ToolError('The command is empty.');
  const hidden = hiddenCharacter(command);
  if (hidden !== undefined) throw new ToolError(`The command contains ${hidden}, which is invisible. Omit it.`);
  if (hasGap(command)) throw new ToolError('The command contains many spaces or blank lines in a row. Omit them.');
  return command;
}

interface CommandPlace {
  readonly folder: vscode.WorkspaceFolder;
  /** Undefined for a command in the background. */
  readonly timeoutMs: number | undefined;
}

async function run(
  command: string,
  { folder, timeoutMs }: CommandPlace,
  commands: RunCommands,
  { signal, report }: ToolProgress,
): Promise<ToolOutcome> {
  const { variables: env, isComplete } = await commands.environments.of(folder.uri);
  if (signal.aborted) throw new ToolError('The user canceled the command before it began.');
  const process = commands.start(command, {
    folder: folder.uri,
    env,
    timeoutMs,
    onDidChange: () => report({ output: shownOf(process) }),
  });
  const stop = () => process.stop();
  signal.addEventListener('abort', stop);
  // Without a limit here, the command has one itself.
  const end = await process.wait({}, timeoutMs === undefined ? SETTLE_MS : MAX_WAIT_MS, signal);
  signal.removeEventListener('abort', stop);
  if (end === 'question' || end === 'timeout') {
    commands.moveToBackground(process);
    return goesOn(process, end);
  }
  const { result } = end === 'canceled' ? await ended(process) : process;
  if (result === undefined || result instanceof Error) throw result ?? new Error('The command has no result.');
  const head = [
    headOf(result, timeoutMs ?? 0),
    ...(result.end === 'timeout' ? [BACKGROUND_ADVICE] : []),
    ...placeOf(folder),
    ...(isComplete ? [] : [INCOMPLETE]),
    ...(result.rest === undefined ? [] : [REST]),
  ];
  return outcomeOf(command, result, head);
}

async function ended(process: CommandProcess): Promise<CommandProcess> {
  await process.wait({}, MAX_WAIT_MS, new AbortController().signal);
  return process;
}

/** What a step shows of a running command. */
export function shownOf({ lastOutput }: CommandProcess): string {
  return redactKeys(lastLines(lastOutput, SHOWN_LINES));
}

function goesOn(process: CommandProcess, end: WaitEnd): ToolOutcome {
  const { id, command } = process;
  const isAsking = end === 'question';
  const head = `The command goes on in the background as ${id}, and ends with your answer to the user. Use check_command to wait for what you need, and to stop it.`;
  const output = cutMiddle(redactKeys(process.read().trim()), SHORTER, MAX_OUTPUT);
  return {
    text: `${isAsking ? `${WAITS} ` : ''}${head}\n${output === '' ? '(no output yet)' : output}`,
    source: { name: command, isFile: false },
    action: {
      state: 'done',
      output: shownOf(process),
      note: isAsking ? l10n.t('It waits for an answer.') : l10n.t('In the background'),
    },
  };
}

function outcomeOf(
  command: string,
  { output: written, exitCode, end }: CommandResult,
  head: readonly string[],
): ToolOutcome {
  // Variables can contain keys.
  const output = redactKeys(plainOutput(written).trim());
  const shown = cutMiddle(output, SHORTER, MAX_OUTPUT);
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

const SHORTER = 'Run a command that prints less to see it.';
const BACKGROUND_ADVICE =
  'Run a server or a watcher with background. Set timeout_seconds for a command that takes longer.';
const REST =
  'What it started in the background goes on until your answer to the user. Use background instead of & for that.';
export const WAITS =
  'The command seems to wait for an answer, which only the user can type in its terminal. Stop it and use an option that answers, or tell the user.';
const INCOMPLETE =
  'The editor did not give the variables of a new terminal, so those of other extensions are missing, such as an activated Python environment.';
const QUESTION =
  'It asked a question, but has no input. Use an option that answers it, or ask the user to run it in a terminal.';

/** How a command has ended, for the model. */
export function headOf({ exitCode, end, killedBy }: CommandResult, timeoutMs: number): string {
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

/** Where the command ran, if that is not the folder that is meant without a name. */
function placeOf(folder: vscode.WorkspaceFolder): readonly string[] {
  return folder.index === 0 ? [] : [`It ran in ${folder.uri.fsPath}.`];
}
