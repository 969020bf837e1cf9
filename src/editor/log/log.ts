import * as vscode from 'vscode';
import { redact } from '../../service/redact.ts';

/** The extension's log in the Output view. Secrets are redacted from every line. */
export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Model Access', { log: true });

  debug(message: string): void {
    this.#channel.debug(redact(message));
  }

  info(message: string): void {
    this.#channel.info(redact(message));
  }

  warn(message: string, cause?: unknown): void {
    this.#channel.warn(redact(withCause(message, cause)));
  }

  error(message: string, cause?: unknown): void {
    this.#channel.error(redact(withCause(message, cause)));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

function withCause(message: string, cause: unknown): string {
  if (cause === undefined) return message;
  return `${message}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
}
