import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListenCommand } from '../../gateway/sharing/protocol.ts';
import type { HostMessage, WorkerMessage } from '../../gateway/worker/protocol.ts';
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

export type ListenerMessage = Extract<WorkerMessage, { type: 'listening' | 'failed' | 'closed' }>;

/** The worker thread that listens. */
interface ListeningThread {
  readonly isRunning: boolean;
  send(message: HostMessage): void;
}

interface WaitingWindow {
  /** Called without an address if there was no gateway to join. */
  readonly resolve: (address: ListeningAddress | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The gateway's port as this window sees it: opened, joined, and closed here, or moved and closed by other windows. */
export class GatewayListener implements vscode.Disposable {
  readonly #thread: ListeningThread;
  readonly #log: Log;
  readonly #moved = new vscode.EventEmitter<ListeningAddress>();
  readonly #ended = new vscode.EventEmitter<string | undefined>();
  #listening: WaitingWindow | undefined;
  #closed: (() => void) | undefined;

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
    const address = await this.#listen(command);
    if (address === undefined)
      throw new ListenError(l10n.t('The gateway was stopped while it was starting.'), undefined);
    return address;
  }

  /** Joins the gateway of another window. Returns `undefined` if none runs. */
  join(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress | undefined> {
    return this.#listen({ ...command, onlyJoin: true });
  }

  /** Resolves when the port is free again. Streams in progress get a short time to end. */
  close(): Promise<void> {
    if (!this.#thread.isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#thread.send({ type: 'close' });
    });
  }

  receive(message: ListenerMessage): void {
    switch (message.type) {
      case 'listening':
        this.#place(message);
        break;
      case 'failed':
        this.#fail(new ListenError(message.message, message.code));
        break;
      case 'closed':
        this.#close(message.problem);
        break;
    }
  }

  /** Called when the thread has exited. */
  exit(message: string): void {
    if (this.#listening !== undefined) this.#fail(new ListenError(message, undefined));
    this.#closed?.();
    this.#closed = undefined;
  }

  dispose(): void {
    vscode.Disposable.from(this.#moved, this.#ended).dispose();
  }

  #listen(command: Omit<ListenCommand, 'type'>): Promise<ListeningAddress | undefined> {
    return new Promise((resolve, reject) => {
      this.#listening = { resolve, reject };
      this.#thread.send({ type: 'listen', ...command });
    });
  }

  #place({ address, port, owner }: ListeningAddress): void {
    const listening = this.#listening;
    this.#listening = undefined;
    if (listening === undefined) this.#moved.fire({ address, port, owner });
    else listening.resolve({ address, port, owner });
  }

  #close(problem: string | undefined): void {
    const [closed, listening] = [this.#closed, this.#listening];
    this.#closed = undefined;
    if (closed !== undefined) {
      closed();
      return;
    }
    this.#listening = undefined;
    if (listening === undefined) this.#ended.fire(problem);
    else listening.resolve(undefined);
  }

  #fail(error: ListenError): void {
    if (this.#listening === undefined) this.#log.error('The gateway failed', error);
    else this.#listening.reject(error);
    this.#listening = undefined;
  }
}
