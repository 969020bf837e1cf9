import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CommandResult, runShellCommand, type ShellCommandOptions } from '../../agent/shellCommand.ts';

/** The key for interrupting a command, Ctrl+C. */
const INTERRUPT = '\u0003';

/**
 * A terminal that shows commands and what they write. Each command has a process of its own. Ctrl+C ends the command that
 * runs; closing the terminal also ends what earlier commands have left in the background.
 */
export class CommandTerminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #terminal: vscode.Terminal;
  readonly #endRests = new Set<() => void>();
  #waiting: string | undefined = '';
  #running: AbortController | undefined;

  /** @param onClose called when the user has closed the terminal. */
  constructor(onClose: () => void) {
    this.#terminal = vscode.window.createTerminal({
      name: l10n.t('Agent'),
      iconPath: new vscode.ThemeIcon('robot'),
      pty: {
        onDidWrite: this.#written.event,
        open: () => this.#flush(),
        handleInput: (keys: string) => {
          if (keys === INTERRUPT) this.#running?.abort('interrupted');
        },
        close: () => {
          onClose();
          this.#running?.abort('closed');
          for (const end of this.#endRests) end();
        },
      },
    });
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  async run(command: string, options: Omit<ShellCommandOptions, 'onText'>): Promise<CommandResult> {
    const running = new AbortController();
    this.#running = running;
    this.#terminal.show(true);
    this.#write(`\u001B[2m${basename(options.folder)}\u001B[22m \u001B[1m> ${command}\u001B[22m\n`);
    try {
      const signal = AbortSignal.any([options.signal, running.signal]);
      const result = await runShellCommand(command, { ...options, signal, onText: (text) => this.#write(text) });
      this.#write(
        `${result.output === '' || result.output.endsWith('\n') ? '' : '\n'}\u001B[2m${endOf(result)}\u001B[22m\n`,
      );
      this.#keepRest(result);
      return result;
    } finally {
      this.#running = undefined;
    }
  }

  show(): void {
    this.#terminal.show();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #keepRest({ endRest, silent }: CommandResult): void {
    if (endRest === undefined) return;
    this.#endRests.add(endRest);
    void silent.then(() => this.#endRests.delete(endRest));
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
