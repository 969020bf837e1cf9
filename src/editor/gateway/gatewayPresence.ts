import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ensurePrivateFolder } from '../../files/privateFiles.ts';
import type { SharedFiles } from '../../gateway/sharing/protocol.ts';
import type { Log } from '../log/log.ts';

/**
 * Reports whether a gateway of this user runs in any window on this machine. Its owner keeps a file while it runs.
 * Watching that file is cheap, and no window has to start a worker to find out.
 */
export class GatewayPresence implements vscode.Disposable {
  readonly files: SharedFiles;
  readonly #log: Log;
  readonly #appeared = new vscode.EventEmitter<void>();
  #watcher: FSWatcher | undefined;

  /** Fires when a gateway starts or changes its owner. */
  readonly onDidAppear = this.#appeared.event;

  constructor(globalStorage: vscode.Uri, log: Log) {
    const folder = join(globalStorage.fsPath, 'gateway');
    this.files = { secret: join(folder, 'link.key'), presence: join(folder, 'running.json') };
    this.#log = log;
    void this.#watch();
  }

  /** The file may be stale if its owner was killed. */
  get exists(): boolean {
    return existsSync(this.files.presence);
  }

  /** When the gateway started or changed its owner, in milliseconds since the epoch. */
  get since(): number | undefined {
    return statSync(this.files.presence, { throwIfNoEntry: false })?.mtimeMs;
  }

  dispose(): void {
    this.#watcher?.close();
    this.#appeared.dispose();
  }

  async #watch(): Promise<void> {
    const { presence } = this.files;
    try {
      await ensurePrivateFolder(dirname(presence));
      this.#watcher = watch(dirname(presence), { persistent: false }, (_, file) => {
        if (file === basename(presence) && this.exists) this.#appeared.fire();
      });
      this.#watcher.on('error', (error) => this.#log.warn('Could not watch for gateways of other windows', error));
    } catch (error) {
      this.#log.warn('Could not watch for gateways of other windows', error);
    }
  }
}
