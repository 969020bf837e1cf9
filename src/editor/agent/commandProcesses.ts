import type * as vscode from 'vscode';
import { CommandProcess } from '../../agent/commandProcess.ts';
import { lastLines } from '../../agent/cutText.ts';
import type { CommandRest, CommandResult } from '../../agent/shellCommand.ts';
import { defined } from '../../formats/json.ts';
import type { CommandAct, CommandView } from '../../pages/chat/protocol.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import { redactKeys } from '../../service/redact.ts';
import type { CommandEnvironments } from './commandEnvironment.ts';
import type { CommandTerminal } from './commandTerminal.ts';
import type { CommandTerminals } from './commandTerminals.ts';

/** Output of commands in the background is reported at most ten times a second. */
const REPORTED_EVERY_MS = 100;

/** The lines of its output that the person sees of a command. */
const SHOWN_LINES = 6;

/** Whose command it is. */
export interface CommandOwner {
  readonly chat: string;
  readonly run: string;
}

export interface StartedCommand {
  readonly folder: vscode.Uri;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined for a command in the background. */
  readonly timeoutMs?: number | undefined;
  readonly onDidChange?: () => void;
}

interface BackgroundCommand {
  readonly process: CommandProcess;
  readonly owner: CommandOwner;
  readonly terminal: CommandTerminal | undefined;
  isKept: boolean;
}

/** The commands of the agent in this window. Those in the background end with their run unless the person keeps them. */
export class CommandProcesses implements vscode.Disposable {
  readonly #terminals: CommandTerminals;
  readonly #onDidChange: () => void;
  readonly #reporting: DelayedCall;
  #started = 0;
  #background: readonly BackgroundCommand[] = [];

  /** @param onDidChange called when what the person sees of commands in the background has changed. */
  constructor(terminals: CommandTerminals, onDidChange: () => void) {
    this.#terminals = terminals;
    this.#onDidChange = onDidChange;
    this.#reporting = new DelayedCall(onDidChange, REPORTED_EVERY_MS);
  }

  of(owner: CommandOwner): RunCommands {
    return new RunCommands(this, this.#terminals, owner);
  }

  viewOf(chat: string): readonly CommandView[] {
    return this.#background.filter(({ owner }) => owner.chat === chat).map(toView);
  }

  /** Starts a command. One in the background is listed from here on. */
  start(command: string, owner: CommandOwner, { onDidChange, ...options }: StartedCommand): CommandProcess {
    let process = this.#newProcess(command, () => onDidChange?.());
    const first = process;
    let terminal: CommandTerminal | undefined;
    const list = () => this.#add({ process, owner, terminal, isKept: false });
    const running = this.#terminals.run(command, {
      ...options,
      signal: first.signal,
      onText: (text) => process.print(text),
      onTerminal: (shown) => {
        terminal = shown;
      },
    });
    if (options.timeoutMs === undefined) list();
    const onRest = ({ rest }: CommandResult) => {
      if (rest === undefined) return;
      process = this.#restOf(command, rest);
      list();
    };
    running.then(
      (result) => {
        first.finish(result);
        onRest(result);
      },
      (error: Error) => first.finish(error),
    );
    return first;
  }

  /** Lists a command that was started in the foreground, and goes on. */
  moveToBackground(process: CommandProcess, owner: CommandOwner): void {
    if (this.#find(process.id) === undefined) this.#add({ process, owner, terminal: undefined, isKept: false });
  }

  /** The command with this ID, or the last one of the chat. */
  find(chat: string, id: string | undefined): CommandProcess | undefined {
    const ofChat = this.#background.filter(({ owner }) => owner.chat === chat);
    return (id === undefined ? ofChat.at(-1) : ofChat.find(({ process }) => process.id === id))?.process;
  }

  act(id: string, act: CommandAct): void {
    const command = this.#find(id);
    if (command === undefined) return;
    if (act === 'stop') command.process.stop();
    else if (act === 'keep') command.isKept = true;
    else if (command.terminal === undefined) this.#terminals.show();
    else command.terminal.show();
    this.#onDidChange();
  }

  /** Ends what a run has left in the background, except what the person keeps. What has ended is no longer listed. */
  endOf({ chat, run }: CommandOwner): void {
    const isLeft = ({ process, owner, isKept }: BackgroundCommand) =>
      owner.chat !== chat || (process.isRunning && (isKept || owner.run !== run));
    const ended = this.#background.filter((command) => !isLeft(command));
    if (ended.length === 0) return;
    this.#background = this.#background.filter(isLeft);
    for (const { process } of ended) process.stop();
    this.#onDidChange();
  }

  dispose(): void {
    this.#reporting.dispose();
    for (const { process } of this.#background) process.stop();
  }

  #find(id: string): BackgroundCommand | undefined {
    return this.#background.find(({ process }) => process.id === id);
  }

  #add(command: BackgroundCommand): void {
    this.#background = [...this.#background, command];
    this.#onDidChange();
  }

  /** What a command has left in the background is a command of its own. */
  #restOf(command: string, rest: CommandRest): CommandProcess {
    const process = this.#newProcess(command);
    process.signal.addEventListener('abort', () => rest.end());
    void rest.ended.then(() => process.finish({ output: '', exitCode: undefined, end: 'exit' }));
    return process;
  }

  #newProcess(command: string, onDidChange?: () => void): CommandProcess {
    this.#started += 1;
    const id = `c${this.#started}`;
    return new CommandProcess({
      id,
      command,
      onDidChange: () => {
        onDidChange?.();
        if (this.#find(id) !== undefined) this.#reporting.soon();
      },
    });
  }
}

export class RunCommands {
  readonly #processes: CommandProcesses;
  readonly #owner: CommandOwner;
  readonly shellName: string;
  /** They are read once for all commands of a run. */
  readonly environments: CommandEnvironments;

  constructor(processes: CommandProcesses, terminals: CommandTerminals, owner: CommandOwner) {
    this.#processes = processes;
    this.#owner = owner;
    this.shellName = terminals.shellName;
    this.environments = terminals.newEnvironments();
  }

  start(command: string, options: StartedCommand): CommandProcess {
    return this.#processes.start(command, this.#owner, options);
  }

  moveToBackground(process: CommandProcess): void {
    this.#processes.moveToBackground(process, this.#owner);
  }

  find(id: string | undefined): CommandProcess | undefined {
    return this.#processes.find(this.#owner.chat, id);
  }
}

function toView({ process, isKept }: BackgroundCommand): CommandView {
  const { id, command, isRunning, question, result, startedAt } = process;
  const exitCode = result instanceof Error ? undefined : result?.exitCode;
  return {
    id,
    command,
    isRunning,
    isKept,
    startedAt,
    output: redactKeys(lastLines(process.lastOutput, SHOWN_LINES)),
    ...defined({ exitCode, question: question === undefined ? undefined : redactKeys(question) }),
  };
}
