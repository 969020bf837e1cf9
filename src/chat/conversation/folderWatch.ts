import { type FSWatcher, watch } from 'node:fs';
import { ensurePrivateFolder } from '../../files/privateFiles.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';

/** Changes of a file within this time are reported together. In milliseconds. */
const TOGETHER_MS = 150;

/**
 * Reports which files of a folder have changed, including changes by this window. Reports nothing if the system cannot
 * watch the folder.
 */
export class FolderWatch {
  readonly #onDidChange: (fileNames: readonly string[]) => void;
  readonly #changed = new Set<string>();
  #watcher: FSWatcher | undefined;
  readonly #report = new DelayedCall(() => this.#reportChanged(), TOGETHER_MS);
  #isDisposed = false;

  constructor(onDidChange: (fileNames: readonly string[]) => void) {
    this.#onDidChange = onDidChange;
  }

  /** @throws if the folder cannot be created or watched. */
  async start(folder: string): Promise<void> {
    await ensurePrivateFolder(folder);
    if (this.#isDisposed) return;
    this.#watcher = watch(folder, { persistent: false }, (_, fileName) => {
      if (fileName !== null) this.#note(fileName);
    });
    this.#watcher.on('error', () => this.#watcher?.close());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#report.dispose();
    this.#watcher?.close();
  }

  #note(fileName: string): void {
    this.#changed.add(fileName);
    this.#report.soon();
  }

  #reportChanged(): void {
    const names = [...this.#changed];
    this.#changed.clear();
    this.#onDidChange(names);
  }
}
