import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ensurePrivateFolder, replacePrivateFile, writePrivateFile } from '../../files/privateFiles.ts';
import type { ChangesView } from '../chat/protocol.ts';
import { undefinedIfMissing } from '../files/undefinedIfMissing.ts';
import { writeBytes } from './files.ts';
import { changeOf } from './replaceText.ts';
import { statOf } from './statOf.ts';

/** The list of kept files. */
const INDEX = 'files.json';

/** A file as it was before the run changed it first. */
interface KeptFile {
  readonly uri: string;
  /** The name of the copy; undefined if the file did not exist. */
  readonly copy?: string;
  /** The name of a copy of what the user has accepted; `null` if it was accepted that the file is gone. */
  readonly accepted?: string | null;
}

/** The text of a kept file, and what it is compared with. */
export interface ChangedFile {
  readonly uri: vscode.Uri;
  /** Undefined if the file did not exist, or if it was accepted that it is gone. */
  readonly before: string | undefined;
  /** Undefined if the file does not exist. */
  readonly after: string | undefined;
}

/**
 * The files of one run as they were before it, so that it can be reviewed and taken back. They are copies in the
 * extension's storage that only the user can read: Git is neither needed nor touched.
 */
export class Checkpoint {
  readonly #folder: string;
  readonly #changed = new vscode.EventEmitter<void>();
  #files: Promise<readonly KeptFile[]> | undefined;
  /** The last change of the list. The run and a review of it may change the list at the same time. */
  #lastChange: Promise<unknown> = Promise.resolve();

  /** Fires when a file was kept, or a change was accepted. */
  readonly onDidChange = this.#changed.event;

  /** @param folder the full path of the folder for the copies. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a file before its first change. Later calls change nothing. */
  keep(uri: vscode.Uri): Promise<void> {
    return this.#change(async (files) => {
      if (files.some((file) => file.uri === uri.toString())) return files;
      if ((await statOf(uri)) === undefined) return [...files, { uri: uri.toString() }];
      const copy = nameOf(uri);
      await ensurePrivateFolder(this.#folder);
      await writePrivateFile(this.#path(copy), await vscode.workspace.fs.readFile(uri));
      return [...files, { uri: uri.toString(), copy }];
    });
  }

  /** The files that differ from what they contained before the run. */
  async changed(): Promise<readonly ChangedFile[]> {
    return (await this.#compared(({ copy }) => copy)).filter(isChanged);
  }

  /** All kept files, compared with what the user has accepted last. */
  compared(): Promise<readonly ChangedFile[]> {
    return this.#compared(baseOf);
  }

  /** Counts the pending changes. */
  async view(): Promise<ChangesView> {
    const changed = (await this.compared()).filter(isChanged);
    const counts = changed.map(({ before = '', after = '' }) => changeOf(before, after));
    return {
      files: changed.length,
      added: counts.reduce((sum, { added }) => sum + added, 0),
      removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    };
  }

  /** Gives all files the contents that they had before the run. Nothing of it counts as accepted any more. */
  async restore(): Promise<void> {
    await this.#writeBack(await this.changed(), ({ copy }) => copy);
    await this.#change(async (files) => files.map(({ accepted: _, ...file }) => file));
  }

  /** Gives a file the content that it is compared with. */
  async discard(uri: vscode.Uri): Promise<void> {
    await this.#writeBack([{ uri }], baseOf);
  }

  /** What a file is compared with; undefined if the file did not exist. */
  async base(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const file = (await this.#list()).find((one) => one.uri === uri.toString());
    const base = file && baseOf(file);
    return base === undefined ? undefined : readFile(this.#path(base));
  }

  /** Accepts a content of a file, which it is compared with from now on; undefined if it is accepted that it is gone. */
  setBase(uri: vscode.Uri, content: Uint8Array | undefined): Promise<void> {
    return this.#change(async (files) => {
      const accepted = content === undefined ? null : `${nameOf(uri)}.accepted`;
      if (accepted !== null && content !== undefined) await replacePrivateFile(this.#path(accepted), content);
      return files.map((file) => (file.uri === uri.toString() ? { ...file, accepted } : file));
    });
  }

  async #compared(baseOfFile: (file: KeptFile) => string | undefined): Promise<readonly ChangedFile[]> {
    const compared = (await this.#list()).map(async (file): Promise<ChangedFile> => {
      const uri = vscode.Uri.parse(file.uri);
      const base = baseOfFile(file);
      const before = base === undefined ? undefined : await this.#textOf(base, uri);
      const isThere = (await statOf(uri)) !== undefined;
      const after = isThere ? await decode(await vscode.workspace.fs.readFile(uri), uri) : undefined;
      return { uri, before, after };
    });
    return Promise.all(compared);
  }

  #list(): Promise<readonly KeptFile[]> {
    this.#files ??= this.#read();
    return this.#files;
  }

  async #read(): Promise<readonly KeptFile[]> {
    const written = await undefinedIfMissing(readFile(this.#path(INDEX), 'utf8'));
    if (written === undefined) return [];
    const read: unknown = JSON.parse(written);
    if (!Array.isArray(read)) throw new Error(l10n.t('The checkpoint cannot be read.'));
    return read;
  }

  async #change(change: (files: readonly KeptFile[]) => Promise<readonly KeptFile[]>): Promise<void> {
    const before = this.#lastChange;
    const changing = before.then(async () => {
      const files = await this.#list();
      const changed = await change(files);
      if (changed !== files) await this.#save(changed);
    });
    this.#lastChange = changing.catch(() => undefined);
    await changing;
  }

  async #save(files: readonly KeptFile[]): Promise<void> {
    this.#files = Promise.resolve(files);
    await ensurePrivateFolder(this.#folder);
    await replacePrivateFile(this.#path(INDEX), JSON.stringify(files));
    this.#changed.fire();
  }

  /** Writes the bytes of the copies, because a file need not be text. */
  async #writeBack(
    changed: readonly Pick<ChangedFile, 'uri'>[],
    baseOfFile: (file: KeptFile) => string | undefined,
  ): Promise<void> {
    const files = await this.#list();
    for (const { uri } of changed) {
      const file = files.find((one) => one.uri === uri.toString());
      const base = file && baseOfFile(file);
      if (base === undefined) await vscode.workspace.fs.delete(uri, { useTrash: false });
      else await writeBytes(uri, await readFile(this.#path(base)));
    }
  }

  async #textOf(copy: string, uri: vscode.Uri): Promise<string> {
    return decode(await readFile(this.#path(copy)), uri);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

function isChanged({ before, after }: ChangedFile): boolean {
  return before !== after;
}

/** The copy that a review compares with: of what was accepted last, or else of what was there before the run. */
function baseOf({ copy, accepted }: KeptFile): string | undefined {
  return accepted === undefined ? copy : (accepted ?? undefined);
}

function nameOf(uri: vscode.Uri): string {
  return createHash('sha256').update(uri.toString()).digest('hex').slice(0, 32);
}

/** The text of a file. If it is not text, each byte is a character, so that two files have the same one if they are equal. */
async function decode(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch (error) {
    if (!bytes.includes(0)) throw error;
    return Buffer.from(bytes).toString('latin1');
  }
}
