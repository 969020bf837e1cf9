import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListenCommand, SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import type { TrafficCommand } from '../../../../src/gateway/traffic/protocol.ts';
import type { EditorReply } from '../../../../src/gateway/upstreams/editorModels/protocol.ts';
import type { ListenerCommand, WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { LOCAL_KEY } from '../support/client.ts';

export type MessageOf<Type extends WorkerMessage['type']> = Extract<WorkerMessage, { type: Type }>;

/** What every window can be told about the gateway that windows share. */
export type WindowCommand = ListenerCommand | TrafficCommand | EditorReply;

const windows = new Set<EditorWindow>();
const folders: string[] = [];

/** Ends all windows, and removes their shared files. Call in `afterEach`. */
export async function closeWindows(): Promise<void> {
  const open = [...windows];
  windows.clear();
  await Promise.all(open.map((window) => window.end()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Returns new paths for the files through which the windows of one user find each other. */
export function sharedFiles(): SharedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'shared-gateway-'));
  folders.push(folder);
  return { secret: join(folder, 'link.key'), presence: join(folder, 'running.json') };
}

/** A window of the editor, as seen by the gateway. */
export abstract class EditorWindow {
  readonly #files: SharedFiles | undefined;
  readonly #messages: WorkerMessage[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(files: SharedFiles | undefined) {
    this.#files = files;
    windows.add(this);
  }

  abstract post(message: WindowCommand): void;

  /** Closes the window as a user does. Resolves when nothing of it runs anymore. */
  abstract close(): Promise<void>;

  /** Ends the window immediately after a test. */
  abstract end(): Promise<void>;

  protected receive(message: WorkerMessage): void {
    this.#messages.push(message);
    for (const look of this.#waiting) look();
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
}

const SANDBOX: ListenCommand = {
  type: 'listen',
  port: 0,
  localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 }],
  upstream: { kind: 'sandbox' },
  sandbox: { delayMs: 0 },
};
