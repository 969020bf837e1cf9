import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { Log } from '../log/log.ts';

type Handler = (...args: unknown[]) => unknown;

/** A command's handler and its requirements. */
export interface Command {
  readonly run: Handler;
  /** If there is no connection to the service, the command offers to set a key or to try the sandbox. */
  readonly needsConnection?: true;
}

export type CommandTable = Readonly<Record<string, Command>>;

export interface CommandGuards {
  /** Waits for a connection attempt in progress. */
  readonly isConnected: () => Promise<boolean>;
  /** Offers the ways to connect. Resolves when the user has chosen. */
  readonly offerConnection: () => Promise<void>;
}

/**
 * Commands whose code is loaded when one of them first runs, which keeps it out of every window's startup.
 * @param ids All commands of the table.
 */
export function lazyCommands(
  ids: readonly string[],
  load: () => Promise<CommandTable>,
  requirements: Pick<Command, 'needsConnection'> = {},
): CommandTable {
  const run = async (id: string, args: readonly unknown[]) => {
    const command = (await load())[id];
    if (command === undefined) throw new Error(`No command ${id}`);
    return command.run(...args);
  };
  return Object.fromEntries(ids.map((id) => [id, { ...requirements, run: (...args) => run(id, args) } as Command]));
}

/**
 * Registers a table of commands. A failed command is logged, and its message is shown, because the editor would show
 * only the command's ID.
 */
export function registerCommands(table: CommandTable, guards: CommandGuards, log: Log): vscode.Disposable {
  const registrations = Object.entries(table).map(([id, command]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => runCommand(id, command, args, guards, log)),
  );
  return vscode.Disposable.from(...registrations);
}

async function runCommand(
  id: string,
  { run, needsConnection }: Command,
  args: readonly unknown[],
  { isConnected, offerConnection }: CommandGuards,
  log: Log,
): Promise<unknown> {
  if (needsConnection && !(await isConnected())) {
    await offerConnection();
    if (!(await isConnected())) return undefined;
  }
  try {
    return await run(...args);
  } catch (error) {
    log.error(`${id} failed`, error);
    void showFailure(error, log);
    return undefined;
  }
}

async function showFailure(error: unknown, log: Log): Promise<void> {
  const what = errorText(error);
  const choice = await vscode.window.showErrorMessage(what, l10n.t('Open Log'));
  if (choice !== undefined) log.show();
}
