import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { redact } from '../../service/redact.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The extension's log in the Output view. Secrets are redacted from every line. Runs and answers are still ended after the
 * editor has closed the log, which must not fail because of a line.
 */
export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Model Access', { log: true });
  #isClosed = false;

  debug(message: string): void {
    this.#write('debug', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string, cause?: unknown): void {
    this.#write('warn', withCause(message, cause));
  }

  error(message: string, cause?: unknown): void {
    this.#write('error', withCause(message, cause));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#channel.dispose();
  }

  #write(level: LogLevel, line: string): void {
    if (!this.#isClosed) this.#channel[level](redact(line));
  }
}

/**
 * Logs that something failed which no command has begun, and tells the user why. Without a button: the editor would keep
 * the message until it is closed.
 */
export function showFailure(log: Pick<Log, 'error'>, what: string, error: unknown): void {
  log.error(what, error);
  void vscode.window.showErrorMessage(errorText(error));
}

function withCause(message: string, cause: unknown): string {
  if (cause === undefined) return message;
  return `${message}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
}
