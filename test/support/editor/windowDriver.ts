import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import type { Settings } from '../../../scripts/lib/editorSettings.ts';
import { portOf } from '../ports.ts';

const MAX_WAIT_MS = 90_000;

interface Reply {
  /** ID of the request that this message answers. */
  readonly id?: number;
  readonly error?: string;
  readonly value?: unknown;
  /** Why a command that was started earlier has failed. */
  readonly failure?: string;
}

/** Controls one window through the extension `editorDriver` in its extension host. */
export class WindowDriver {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #failures: string[] = [];
  #requests = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // An extension host that is killed ends in the middle of what it says.
    const end = () => void socket.destroy();
    createInterface(socket)
      .on('line', (line) => this.#receive(JSON.parse(line) as Reply))
      .on('error', end);
    socket.on('error', end);
    socket.once('close', () => this.#end());
  }

  /** Whether its extension host is still running. */
  get isThere(): boolean {
    return !this.#socket.destroyed;
  }

  /** Runs a command by its ID and waits for its end. */
  async run(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#ask('run', command, ...args);
  }

  /** Starts a command by its ID, which may ask the user something. */
  async begin(command: string): Promise<void> {
    await this.#ask('begin', command);
  }

  /** Returns the tools that models of this window can call. */
  async toolNames(): Promise<readonly string[]> {
    return z.parse(z.array(z.string()), await this.#ask('toolNames'));
  }

  /** Opens a file and focuses it. */
  async open(path: string): Promise<void> {
    await this.#ask('open', path);
  }

  /** Selects whole lines of the active editor, including both, counted from 1. */
  async select(first: number, last: number): Promise<void> {
    await this.#ask('select', first, last);
  }

  /** Changes user settings. Every extension of the window has the new values afterward. */
  async configure(changes: Settings): Promise<void> {
    await this.#ask('configure', changes);
  }

  /** Returns the failures of started commands since the last call. */
  takeFailures(): readonly string[] {
    return this.#failures.splice(0);
  }

  async #ask(action: string, ...args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#requests;
    const answered = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answered);
    if (this.#socket.destroyed) this.#end();
    else this.#socket.write(`${JSON.stringify({ id, action, args })}\n`);
    const limit = setTimeout(
      () => answered.reject(new Error(`No end of ${action} ${args[0]} after ${MAX_WAIT_MS / 1000} s.`)),
      MAX_WAIT_MS,
    );
    return answered.promise.finally(() => clearTimeout(limit));
  }

  #receive({ id, error, value, failure }: Reply): void {
    if (failure !== undefined) this.#failures.push(failure);
    if (id === undefined) return;
    const answered = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) answered?.resolve(value);
    else answered?.reject(new Error(error));
  }

  #end(): void {
    for (const answered of this.#waiting.values()) answered.reject(new Error('The extension host has ended.'));
    this.#waiting.clear();
  }
}

/** A server to which the extension hosts of an editor connect when they start. */
export class WindowDrivers {
  readonly #server: Server;
  readonly #arrived = new EventEmitter();
  readonly #unclaimed: WindowDriver[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#unclaimed.push(new WindowDriver(socket));
      this.#arrived.emit('driver');
    });
  }

  static async start(): Promise<WindowDrivers> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WindowDrivers(server);
  }

  get port(): number {
    return portOf(this.#server);
  }

  /** Returns the driver of the window that was opened or reloaded last. */
  async next(): Promise<WindowDriver> {
    for (;;) {
      const driver = this.#unclaimed.shift();
      if (driver?.isThere) return driver;
      if (driver !== undefined) continue;
      await once(this.#arrived, 'driver', { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    }
  }

  stop(): void {
    this.#server.close();
  }
}
