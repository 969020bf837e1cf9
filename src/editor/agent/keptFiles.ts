import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ensurePrivateFolder, replacePrivateFile } from '../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import { WorkQueue } from '../workQueue.ts';

/** The list of kept files. */
const INDEX = 'files.json';
/** What commands have changed without a copy of what was there before. */
const UNRESTORED = 'unrestored.json';

/** A file as it was before the run changed it first. */
export interface KeptFile {
  readonly uri: string;
  /** The URI without links when the file was kept. */
  readonly real?: string;
  /** The name of the copy; undefined if the file did not exist. */
  readonly copy?: string;
  /** The name of a copy of the accepted text; `null` if the deletion of the file was accepted. */
  readonly accepted?: string | null;
  /**
   * The name of a copy of the run's version; `null` if the run has deleted the file. Undefined until it has written it.
   */
  readonly left?: string | null;
  /** The URI of the file that was renamed to this one. */
  readonly renamedFrom?: string;
}

/** The copies of a checkpoint, with their list. Only the user can read them. */
export class KeptFiles {
  readonly #folder: string;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The run and a review of it may change a list at the same time. */
  readonly #queue = new WorkQueue();

  readonly onDidChange = this.#changed.event;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Another window may have gone on with the run, so the list is read each time. */
  list(): Promise<readonly KeptFile[]> {
    return this.#read<KeptFile>(INDEX);
  }

  async change(change: (files: readonly KeptFile[]) => Promise<readonly KeptFile[]>): Promise<void> {
    await this.#change(INDEX, change);
  }

  /** The paths of files that cannot be restored. */
  unrestored(): Promise<readonly string[]> {
    return this.#read<string>(UNRESTORED);
  }

  async addUnrestored(paths: readonly string[]): Promise<void> {
    await this.#change<string>(UNRESTORED, async (known) => [...new Set([...known, ...paths])]);
  }

  /** Reads a copy. */
  read(name: string): Promise<Uint8Array> {
    return readFile(join(this.#folder, name));
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await ensurePrivateFolder(this.#folder);
    await replacePrivateFile(join(this.#folder, name), content);
  }

  async #read<Item>(name: string): Promise<readonly Item[]> {
    const written = await undefinedIfMissing(readFile(join(this.#folder, name), 'utf8'));
    if (written === undefined) return [];
    const read: unknown = JSON.parse(written);
    if (!Array.isArray(read)) throw new Error(l10n.t('The checkpoint cannot be read.'));
    return read;
  }

  #change<Item>(name: string, change: (items: readonly Item[]) => Promise<readonly Item[]>): Promise<void> {
    return this.#queue.run(async () => {
      const items = await this.#read<Item>(name);
      const changed = await change(items);
      if (changed === items) return;
      await this.write(name, JSON.stringify(changed));
      this.#changed.fire();
    });
  }
}

/** The name of the copy of a file. */
export function nameOf(uri: vscode.Uri): string {
  return contentName(uri.toString());
}

export function contentName(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
