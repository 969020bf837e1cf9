import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type CommandRest,
  type CommandResult,
  runShellCommand,
  type ShellCommandOptions,
} from '../../agent/shellCommand.ts';

/** The key for interrupting a command, Ctrl+C. */
const INTERRUPT = '\u0003';
/** What the backspace key sends. */
const BACKSPACE = '\u007F';

export interface TerminalCommandOptions extends Omit<ShellCommandOptions, 'onInput'> {
  /** Whether the person can type in the terminal. The command has an empty input otherwise. */
  readonly hasInput?: boolean;
}

/**
 * A terminal that shows commands and what they write. Each command has a process of its own. Ctrl+C ends the command that
 * runs; closing the terminal also ends what earlier commands have left in the background.
 */
export class CommandTerminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #terminal: vscode.Terminal;
  readonly #rests = new Set<CommandRest>();
  /** The line that the person types. */
  #typed = '';
  #type: ((text: string) => void) | undefined;
  #waiting: string | undefined = '';
  #running: AbortController | undefined;

  /** @param onClose called when the user has closed the terminal. */
  constructor(onClose: () => void, name = l10n.t('Agent')) {
    this.#terminal = vscode.window.createTerminal({
      name,
      iconPath: new vscode.ThemeIcon('robot'),
      pty: {
        onDidWrite: this.#written.event,
        open: () => this.#flush(),
        handleInput: (keys: string) => this.#handleInput(keys),
        close: () => {
          onClose();
          this.#running?.abort('closed');
          for (const rest of this.#rests) rest.end();
        },
      },
    });
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  async run(command: string, { hasInput, ...options }: TerminalCommandOptions): Promise<CommandResult> {
    const running = new AbortController();
    this.#running = running;
    this.#terminal.show(true);
    this.#write(`\u001B[2m${basename(options.folder)}\u001B[22m \u001B[1m> ${command}\u001B[22m\n`);
    try {
      const signal = AbortSignal.any([options.signal, running.signal]);
      const result = await runShellCommand(command, {
        ...options,
        signal,
        onText: (text) => {
          this.#write(text);
          options.onText(text);
        },
        ...(hasInput === true && {
          onInput: (type) => {
            this.#type = type;
          },
        }),
      });
      this.#write(
        `${result.output === '' || result.output.endsWith('\n') ? '' : '\n'}\u001B[2m${endOf(result)}\u001B[22m\n`,
      );
      const { rest } = result;
      if (rest !== undefined) {
        this.#rests.add(rest);
        void rest.ended.then(() => this.#rests.delete(rest));
      }
      return result;
    } finally {
      this.#running = undefined;
      this.#type = undefined;
    }
  }

  show(): void {
    this.#terminal.show();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** A line is sent when it is complete, as a terminal does. */
  #handleInput(keys: string): void {
    if (keys === INTERRUPT) this.#running?.abort('interrupted');
    if (keys === INTERRUPT || this.#type === undefined) return;
    if (keys === BACKSPACE) {
      if (this.#typed !== '') this.#write('\b \b');
      this.#typed = this.#typed.slice(0, -1);
      return;
    }
    const text = keys.replaceAll('\r', '\n');
    this.#write(text);
    const lines = `${this.#typed}${text}`.split('\n');
    this.#typed = lines.pop() ?? '';
    for (const line of lines) this.#type(`${line}\n`);
  }

  /** The editor drops what is written before it has opened the terminal. */
  #write(text: string): void {
    const shown = text.replaceAll(/\r?\n/g, '\r\n');
    if (this.#waiting === undefined) this.#written.fire(shown);
    else this.#waiting += shown;
  }

  #flush(): void {
    const waiting = this.#waiting ?? '';
    this.#waiting = undefined;
    if (waiting !== '') this.#written.fire(waiting);
  }
}

function endOf({ end, exitCode, killedBy }: CommandResult): string {
  if (end !== 'exit') return l10n.t('Stopped');
  return killedBy ?? l10n.t('Exit code {0}', exitCode ?? '');
}
