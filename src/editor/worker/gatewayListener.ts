import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListenCommand } from '../../gateway/sharing/protocol.ts';
import type { HostMessage, ListenerCommand, WorkerMessage } from '../../gateway/worker/protocol.ts';
import type { Log } from '../log/log.ts';

export interface ListeningAddress {
  /** The base address with its prefix, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  readonly port: number;
  /** Whether this window's worker listens on the port, or that of another window. */
  readonly owner: 'self' | 'other';
}

/** Thrown when a listener cannot start. `code` is the operating system's error code, such as `EADDRINUSE`. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

export type ListenerMessage = Extract<WorkerMessage, { type: 'listening' | 'failed' | 'closed' | 'ran' }>;

/** The worker thread that listens. */
interface ListeningThread {
  readonly isRunning: boolean;
  send(message: HostMessage): void;
}

/** A command that has not ended. */
interface RunningCommand {
  readonly type: ListenerCommand['type'];
  readonly resolve: () => void;
  readonly reject: (error: ListenError) => void;
}

/** The gateway's port as this window sees it: opened, joined, and closed here, or moved and closed by other windows. */
export class GatewayListener implements vscode.Disposable {
  readonly #thread: ListeningThread;
  readonly #log: Log;
  readonly #moved = new vscode.EventEmitter<ListeningAddress>();
  readonly #ended = new vscode.EventEmitter<string | undefined>();
  readonly #commands = new Map<number, RunningCommand>();
  #sent = 0;
  /** Where the gateway listens, as far as the thread has reported. */
  #current: ListeningAddress | undefined;

  /** Fires when the gateway moves to another window or to this one. */
  readonly onDidMove = this.#moved.event;
  /** Fires when another window stopped the gateway or the gateway failed. */
  readonly onDidClose = this.#ended.event;

  constructor(thread: ListeningThread, log: Log) {
    this.#thread = thread;
    this.#log = log;
  }

  /** @throws {ListenError} if the port cannot be opened or the upstream is invalid. */
  async listen(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress> {
    const address = await this.#listen({ type: 'listen', ...command });
    if (address === undefined)
      throw new ListenError(l10n.t('The gateway was stopped while it was starting.'), undefined);
    return address;
  }

  /** Joins the gateway of another window. Returns `undefined` if none runs. */
  join(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress | undefined> {
    return this.#listen({ type: 'listen', ...command, onlyJoin: true });
  }

  /** Resolves when the port is free again. Streams in progress get a short time to end. */
  async close(): Promise<void> {
    if (this.#thread.isRunning) await this.#run({ type: 'close' });
  }

  receive(message: ListenerMessage): void {
    switch (message.type) {
      case 'listening': {
        const { address, port, owner } = message;
        this.#current = { address, port, owner };
        if (this.#commands.size === 0) this.#moved.fire(this.#current);
        break;
      }
      case 'closed':
        this.#current = undefined;
        if (this.#commands.size === 0) this.#ended.fire(message.problem);
        break;
      case 'failed':
        this.#log.error('The gateway failed', new ListenError(message.message, message.code));
        break;
      case 'ran': {
        const command = this.#commands.get(message.number);
        this.#commands.delete(message.number);
        if (message.failure === undefined) command?.resolve();
        else command?.reject(new ListenError(message.failure.message, message.failure.code));
        break;
      }
    }
  }

  /** Called when the thread has exited. */
  exit(message: string): void {
    const commands = [...this.#commands.values()];
    this.#commands.clear();
    this.#current = undefined;
    for (const { type, resolve, reject } of commands) {
      if (type === 'listen') reject(new ListenError(message, undefined));
      else resolve();
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#moved, this.#ended).dispose();
  }

  async #listen(command: ListenCommand): Promise<ListeningAddress | undefined> {
    await this.#run(command);
    return this.#current;
  }

  /** Resolves when the thread has run the command. What it reports until then is the command's result. */
  #run(command: Extract<ListenerCommand, { type: 'listen' | 'close' }>): Promise<void> {
    this.#sent += 1;
    const number = this.#sent;
    return new Promise((resolve, reject) => {
      this.#commands.set(number, { type: command.type, resolve, reject });
      this.#thread.send({ ...command, number });
    });
  }
}
