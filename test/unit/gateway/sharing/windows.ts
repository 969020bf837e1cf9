import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListenCommand, SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import type { HostMessage, WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { WINDOW_PROCESS, WORKER } from '../support/builtWorker.ts';
import { LOCAL_KEY } from '../support/client.ts';

export type MessageOf<Type extends WorkerMessage['type']> = Extract<WorkerMessage, { type: Type }>;

const processes = new Set<ChildProcess>();
const folders: string[] = [];

/** Kills all windows, and removes their shared files. Call in `afterEach`. */
export async function closeWindows(): Promise<void> {
  await Promise.all([...processes].map((child) => end(child)));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Returns new paths for the files through which the windows of one user find each other. */
export function sharedFiles(): SharedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'shared-gateway-'));
  folders.push(folder);
  return { secret: join(folder, 'link.key'), presence: join(folder, 'running.json') };
}

/** A window of the editor, as seen by the gateway. Needs `buildWorker`. */
export class EditorWindow {
  readonly #child: ChildProcess;
  readonly #files: SharedFiles | undefined;
  readonly #messages: WorkerMessage[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(files: SharedFiles | undefined) {
    this.#files = files;
    this.#child = fork(WINDOW_PROCESS, [WORKER], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    processes.add(this.#child);
    this.#child.on('message', (message) => {
      this.#messages.push(message as WorkerMessage);
      for (const look of this.#waiting) look();
    });
    this.#child.once('exit', () => processes.delete(this.#child));
  }

  post(message: HostMessage): void {
    this.#child.send(message);
  }

  /** Waits for the first message of this type and removes it. */
  take<Type extends WorkerMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.#messages.findIndex((message) => message.type === type);
        if (at === -1) return;
        this.#waiting.delete(look);
        resolve(this.#messages.splice(at, 1)[0] as MessageOf<Type>);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Returns the messages of a type that were received and not taken. */
  untaken<Type extends WorkerMessage['type']>(type: Type): MessageOf<Type>[] {
    return this.#messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  async listen(command: Partial<ListenCommand> = {}): Promise<MessageOf<'listening'>> {
    this.start(command);
    return this.take('listening');
  }

  start(command: Partial<ListenCommand> = {}): void {
    this.post({ ...SANDBOX, ...(this.#files && { shared: this.#files }), ...command });
  }

  /** Closes the window as a user does. Resolves when its process has ended. */
  async close(graceMs = 5_000): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.post({ type: 'stop', graceMs });
    await ended;
  }

  /** Stops the process until it is killed, so that it answers nothing anymore. Not on Windows. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** Kills the process with SIGKILL, so that nothing in it can react. */
  async kill(): Promise<void> {
    await end(this.#child);
  }
}

const SANDBOX: ListenCommand = {
  type: 'listen',
  port: 0,
  localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 }],
  upstream: { kind: 'sandbox' },
  sandbox: { delayMs: 0 },
};

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
