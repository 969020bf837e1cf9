import * as vscode from 'vscode';
import type { CommandResult } from '../../agent/shellCommand.ts';
import { startOf } from '../../agent/shells.ts';
import { CommandEnvironments, type EnvironmentServices } from './commandEnvironment.ts';
import { CommandTerminal } from './commandTerminal.ts';

export interface CommandOptions {
  readonly folder: vscode.Uri;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined for a command in the background, which has a terminal of its own, in which the person can type. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onTerminal: (terminal: CommandTerminal) => void;
}

/** The terminals in which the agent's commands run: one, and another for each command at the same time. */
export class CommandTerminals implements vscode.Disposable {
  readonly #services: EnvironmentServices;
  readonly #terminals = new Set<CommandTerminal>();
  #last: CommandTerminal | undefined;

  constructor(services: EnvironmentServices) {
    this.#services = services;
  }

  /** The name of the shell that runs the commands, such as `zsh`. */
  get shellName(): string {
    return startOf('', vscode.env.shell).name;
  }

  newEnvironments(): CommandEnvironments {
    return new CommandEnvironments(this.#services);
  }

  run(command: string, options: CommandOptions): Promise<CommandResult> {
    const isInBackground = options.timeoutMs === undefined;
    const terminal = isInBackground ? this.#open(command) : (this.#idle() ?? this.#open());
    this.#last = terminal;
    options.onTerminal(terminal);
    const { fsPath: folder } = options.folder;
    return terminal.run(command, {
      ...options,
      folder,
      shell: vscode.env.shell,
      hasInput: isInBackground,
    });
  }

  /** Shows the terminal of the last command. */
  show(): void {
    this.#last?.show();
  }

  dispose(): void {
    for (const terminal of this.#terminals) terminal.dispose();
  }

  #idle(): CommandTerminal | undefined {
    return [...this.#terminals].find((terminal) => !terminal.isBusy);
  }

  #open(name?: string): CommandTerminal {
    const terminal: CommandTerminal = new CommandTerminal(() => this.#terminals.delete(terminal), name);
    this.#terminals.add(terminal);
    return terminal;
  }
}
