import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Awaited, CommandProcess, WaitEnd } from '../../../agent/commandProcess.ts';
import { cutMiddle } from '../../../agent/cutText.ts';
import { type AgentTool, defineTool, ToolError, type ToolOutcome, text } from '../../../agent/tools/tool.ts';
import { redactKeys } from '../../../service/redact.ts';
import type { RunCommands } from '../commandProcesses.ts';
import { headOf, MAX_OUTPUT, MAX_SECONDS, MAX_WAIT_MS, shownOf, WAITS } from './runCommandTool.ts';

/** How long it waits by default. */
const WAIT_SECONDS = 60;

export function checkCommandTool(commands: RunCommands): AgentTool {
  const schema = z.object({
    id: z.optional(text('ID of the command. Default: the last one.')),
    wait_for_text: z.optional(text('Waits until this is printed.')),
    wait_for_port: z.optional(
      z
        .int()
        .check(z.minimum(1), z.maximum(65_535), z.describe('Waits until this port of localhost accepts connections.')),
    ),
    timeout_seconds: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(MAX_SECONDS),
          z.describe('How long to wait, for the end of the command if nothing else is named.'),
        ),
    ),
    stop: z.optional(z.boolean().check(z.describe('Stops the command.'))),
  });
  const description =
    'Returns what a command in the background has printed since you last read it, and whether it still runs. ' +
    'Can wait first, and can stop it.';
  return defineTool('check_command', description, schema, ({ id, stop, ...args }) => {
    const process = commands.find(id);
    if (process === undefined) {
      throw new ToolError(
        'There is no such command in the background. It ends with the run, or when the window closes.',
      );
    }
    return {
      action: { kind: 'output', object: process.command },
      run: async ({ signal }) => {
        const awaited = { text: args.wait_for_text, port: args.wait_for_port };
        const waits = awaited.text !== undefined || awaited.port !== undefined || args.timeout_seconds !== undefined;
        if (stop === true) process.stop();
        const ms = stop === true ? MAX_WAIT_MS : (args.timeout_seconds ?? WAIT_SECONDS) * 1000;
        const end = stop === true || waits ? await process.wait(stop === true ? {} : awaited, ms, signal) : undefined;
        return checkedOutcome(process, end, awaited);
      },
    };
  });
}

function checkedOutcome(process: CommandProcess, end: WaitEnd | undefined, awaited: Awaited): ToolOutcome {
  const { id, command, result } = process;
  const seconds = Math.round((Date.now() - process.startedAt) / 1000);
  const state = result === undefined ? [`${id} has run for ${seconds} seconds, and goes on.`] : [endedText(process)];
  const output = redactKeys(process.read().trim());
  const shown = cutMiddle(output, 'Wait for less at a time to see it.', MAX_OUTPUT);
  const head = [...reasonOf(end, awaited), ...state];
  return {
    text: `${head.join(' ')}\n${shown === '' ? '(nothing new)' : shown}`,
    source: { name: command, isFile: false },
    action: { output: shownOf(process), ...noteOfCheck(process) },
  };
}

function noteOfCheck({ question, isRunning, result }: CommandProcess): ToolOutcome['action'] {
  if (question !== undefined) return { note: l10n.t('It waits for an answer.') };
  if (isRunning) return { note: l10n.t('Running') };
  const exitCode = result instanceof Error ? undefined : result?.exitCode;
  return exitCode === undefined ? { note: l10n.t('Stopped') } : { exitCode };
}

function endedText({ id, result }: CommandProcess): string {
  if (result === undefined || result instanceof Error) return `${id} could not be run: ${result?.message}`;
  if (result.end === 'canceled') return `${id} was stopped.`;
  return `${id} has ended. ${headOf(result, 0)}`;
}

function reasonOf(end: WaitEnd | undefined, { text: awaited, port }: Awaited): readonly string[] {
  switch (end) {
    case 'text':
      return [`It has printed ${JSON.stringify(awaited)}.`];
    case 'port':
      return [`Port ${port} accepts connections.`];
    case 'question':
      return [WAITS];
    case 'timeout':
      return ['What you waited for did not happen in time.'];
    case 'canceled':
      return ['The user ended the wait.'];
    default:
      return [];
  }
}
