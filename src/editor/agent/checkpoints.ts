import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { changeOf } from '../../agent/replaceText.ts';
import { hunksBetween } from '../../chat/review/hunks.ts';
import { rebased } from '../../chat/review/rebasedHunks.ts';
import { ensurePrivateFolder, replacePrivateFile, writePrivateFile } from '../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import type { ChangesView } from '../../pages/chat/protocol.ts';
import type { ChangedFile } from './changedFile.ts';
import { decodedText, encodeLike } from './fileEncoding.ts';
import { bytesOf, deleteFile, writeBytes } from './files.ts';
import { resultOf } from './review/runResult.ts';
import { realPlaceOf } from './workspacePaths.ts';

/** The list of kept files. */
const INDEX = 'files.json';

/** A file as it was before the run changed it first. */
interface KeptFile {
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

/**
 * The files of one run as they were before it, so that it can be reviewed and reverted. They are copies in the
 * extension's storage that only the user can read: Git is neither needed nor touched.
 */
export class Checkpoint {
  readonly #folder: string;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The last change of the list. The run and a review of it may change the list at the same time. */
  #lastChange: Promise<unknown> = Promise.resolve();

  /** Fires when a file was kept, or a change was accepted. */
  readonly onDidChange = this.#changed.event;

  /** @param folder the full path of the folder for the copies. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a file before its first change, with what the editor has not saved of it. Later calls change nothing. */
  keep(uri: vscode.Uri): Promise<void> {
    return this.#change(async (files) => {
      if (files.some((file) => file.uri === uri.toString())) return files;
      const place = { uri: uri.toString(), real: (await realPlaceOf(uri)).uri.toString() };
      const content = await bytesOf(uri);
      if (content === undefined) return [...files, place];
      const copy = nameOf(uri);
      await ensurePrivateFolder(this.#folder);
      await writePrivateFile(this.#path(copy), content);
      return [...files, { ...place, copy }];
    });
  }

  /**
   * Keeps the run's version of a file, so that the user's own edits can be distinguished from it.
   * @param seen the text that the run has changed, which the user may have edited before. By default, the run's earlier
   *   version.
   */
  wrote(uri: vscode.Uri, seen?: string): Promise<void> {
    return this.#change(async (files) => {
      const file = files.find((one) => one.uri === uri.toString());
      if (file === undefined) return files;
      const bytes = await bytesOf(uri);
      return this.#withLeft(files, uri, bytes && (await this.#withoutEdits(file, bytes, seen)));
    });
  }

  /** Keeps that a file was renamed, before or after other changes of it. */
  renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    return this.#change(async (files) => {
      const earlier = files.find((file) => file.uri === from.toString());
      // A file that the run has created under its earlier name is a new one.
      const origin = earlier?.copy === undefined ? earlier?.renamedFrom : earlier.uri;
      const left = earlier?.left;
      const bytes = left === undefined || left === null ? await bytesOf(to) : await readFile(this.#path(left));
      const withoutSource = await this.#withLeft(files, from, undefined);
      const moved = await this.#withLeft(withoutSource, to, bytes);
      return moved.map(({ renamedFrom, ...file }) => {
        const name = file.uri === to.toString() ? origin : renamedFrom;
        return name === undefined || name === file.uri ? file : { ...file, renamedFrom: name };
      });
    });
  }

  /** The files that are as the run left them. */
  async unedited(): Promise<readonly vscode.Uri[]> {
    const compared = await this.compared();
    return compared.filter(({ left, after }) => left?.text === after).map(({ uri }) => uri);
  }

  /** The files that the user has edited after the run. */
  async edited(): Promise<readonly vscode.Uri[]> {
    const compared = await this.compared();
    return compared.filter(({ left, after }) => left !== undefined && left.text !== after).map(({ uri }) => uri);
  }

  /** Sets what counts as left by the run; undefined if the file is gone. */
  setLeft(uri: vscode.Uri, content: Uint8Array | undefined): Promise<void> {
    return this.#change((files) => this.#withLeft(files, uri, content));
  }

  /** What the run left of a file; undefined if it left none. A file that is not known to be edited is as it was left. */
  async left(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const file = (await this.#list()).find((one) => one.uri === uri.toString());
    if (file?.left === undefined) return bytesOf(uri);
    return file.left === null ? undefined : readFile(this.#path(file.left));
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
    const compared = (await this.compared()).map((file) => ({ before: file.before, after: resultOf(file) }));
    const changed = compared.filter(isChanged);
    const counts = changed.map(({ before = '', after = '' }) => changeOf(before, after));
    return {
      files: changed.length,
      added: counts.reduce((sum, { added }) => sum + added, 0),
      removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    };
  }

  /**
   * Gives all files the contents that they had before the run. Nothing of it counts as accepted any more.
   * @returns what makes the earlier decisions count again, once the files have their contents of now.
   */
  async restore(): Promise<() => Promise<void>> {
    await this.#writeBack(await this.changed(), ({ copy }) => copy);
    const earlier = await this.#list();
    await this.#change(async (files) =>
      files.map(({ accepted: _, left, ...file }) => (left === undefined ? file : { ...file, left: file.copy ?? null })),
    );
    return () => this.#change(async () => earlier);
  }

  /**
   * Called before files are written: a link could have taken the place of one, or of its folder, since it was kept.
   * @throws if one now leads elsewhere.
   */
  async checkPlaces(uris: readonly vscode.Uri[]): Promise<void> {
    const files = await this.#list();
    for (const uri of uris) {
      const { real } = files.find((file) => file.uri === uri.toString()) ?? {};
      if (real === undefined || real === (await realPlaceOf(uri)).uri.toString()) continue;
      const path = vscode.workspace.asRelativePath(uri);
      throw new Error(
        l10n.t('{0} no longer points to the same location as before the change. It was left as it is.', path),
      );
    }
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
      const bytes = await bytesOf(uri);
      const after = bytes && (await decode(bytes, uri));
      const { left, renamedFrom } = file;
      return {
        uri,
        before,
        after,
        ...(left !== undefined && { left: { text: left === null ? undefined : await this.#textOf(left, uri) } }),
        ...(renamedFrom !== undefined && { renamedFrom: vscode.Uri.parse(renamedFrom) }),
      };
    });
    return Promise.all(compared);
  }

  /** The run's version of a file, without the user's edits from before the run changed it again. */
  async #withoutEdits(file: KeptFile, bytes: Uint8Array, seen: string | undefined): Promise<Uint8Array> {
    const uri = vscode.Uri.parse(file.uri);
    const earlier = file.left === undefined ? file.copy : file.left;
    if (seen === undefined || earlier === undefined || earlier === null) return bytes;
    const own = await this.#textOf(earlier, uri);
    if (own === seen) return bytes;
    const text = rebased(hunksBetween(seen, own), seen, await decode(bytes, uri)).text;
    return encodeLike(text, bytes, uri);
  }

  async #withLeft(
    files: readonly KeptFile[],
    uri: vscode.Uri,
    content: Uint8Array | undefined,
  ): Promise<readonly KeptFile[]> {
    // A name of its own, because the copy of an earlier state is needed when a restore is undone.
    const left = content === undefined ? null : `${nameOf(uri)}.${contentName(content)}`;
    if (left !== null && content !== undefined) {
      await ensurePrivateFolder(this.#folder);
      await replacePrivateFile(this.#path(left), content);
    }
    return files.map((file) => (file.uri === uri.toString() ? { ...file, left } : file));
  }

  /** Another window may have gone on with the run, so the list is read each time. */
  async #list(): Promise<readonly KeptFile[]> {
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
    // All are looked at before the first one is written, and each one again right before it is.
    await this.checkPlaces(changed.map(({ uri }) => uri));
    for (const { uri } of changed) {
      await this.checkPlaces([uri]);
      const file = files.find((one) => one.uri === uri.toString());
      const base = file && baseOfFile(file);
      if (base === undefined) await deleteFile(uri);
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

function isChanged({ before, after }: Pick<ChangedFile, 'before' | 'after'>): boolean {
  return before !== after;
}

/** The copy that a review compares with: of what was accepted last, or else of what was there before the run. */
function baseOf({ copy, accepted }: KeptFile): string | undefined {
  return accepted === undefined ? copy : (accepted ?? undefined);
}

function nameOf(uri: vscode.Uri): string {
  return contentName(uri.toString());
}

function contentName(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** The text of a file. If it is not text, each byte is a character, so that two files have the same one if they are equal. */
async function decode(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  return (await decodedText(bytes, uri)) ?? Buffer.from(bytes).toString('latin1');
}
