import { type FSWatcher, watch } from 'node:fs';
import { ensurePrivateFolder } from '../../files/privateFiles.ts';

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
  #timer: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  #note(fileName: string): void {
    this.#changed.add(fileName);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const names = [...this.#changed];
      this.#changed.clear();
      this.#onDidChange(names);
    }, TOGETHER_MS);
  }
}
