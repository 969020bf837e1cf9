import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { changeOf } from '../../agent/replaceText.ts';
import { hunksBetween } from '../../chat/review/hunks.ts';
import { rebased } from '../../chat/review/rebasedHunks.ts';
import type { ChangesView } from '../../pages/chat/protocol.ts';
import { WorkQueue } from '../workQueue.ts';
import type { ChangedFile } from './changedFile.ts';
import { decodedText, encodeLike } from './fileEncoding.ts';
import { bytesOf, deleteFile, writeBytes } from './files.ts';
import { contentName, type KeptFile, KeptFiles, nameOf } from './keptFiles.ts';
import { resultOf } from './review/runResult.ts';
import { realPlaceOf } from './workspacePaths.ts';

/** A file that was changed; `before` is undefined if it did not exist. */
export interface EarlierVersion {
  readonly uri: vscode.Uri;
  readonly before: Uint8Array | undefined;
}

/**
 * The files of one run as they were before it, so that it can be reviewed and reverted. They are copies in the
 * extension's storage that only the user can read: Git is neither needed nor touched.
 */
export class Checkpoint {
  readonly #kept: KeptFiles;
  /** The review and a restore write the files one after the other. */
  readonly writing = new WorkQueue();

  /** Fires when a file was kept, or a change was accepted. */
  readonly onDidChange: vscode.Event<void>;

  /** @param folder the full path of the folder for the copies. */
  constructor(folder: string) {
    this.#kept = new KeptFiles(folder);
    this.onDidChange = this.#kept.onDidChange;
  }

  /** Keeps a file before its first change, with what the editor has not saved of it. Later calls change nothing. */
  keep(uri: vscode.Uri): Promise<void> {
    return this.#kept.change(async (files) => {
      if (files.some((file) => file.uri === uri.toString())) return files;
      const place = { uri: uri.toString(), real: (await realPlaceOf(uri)).uri.toString() };
      const content = await bytesOf(uri);
      if (content === undefined) return [...files, place];
      const copy = nameOf(uri);
      await this.#kept.write(copy, content);
      return [...files, { ...place, copy }];
    });
  }

  /** Keeps files that a command has changed or created, with what they contained before, and the command's versions. */
  keepChanged(changed: readonly EarlierVersion[]): Promise<void> {
    return this.#kept.change(async (files) => {
      let all = files;
      for (const { uri, before } of changed) {
        const known = all.find((file) => file.uri === uri.toString());
        if (known === undefined) {
          // The files of a command are listed without following links.
          const place = { uri: uri.toString(), real: uri.toString() };
          if (before !== undefined) await this.#kept.write(nameOf(uri), before);
          all = [...all, before === undefined ? place : { ...place, copy: nameOf(uri) }];
        }
        const bytes = await bytesOf(uri);
        const seen = before && (await decode(before, uri));
        const left = known === undefined || bytes === undefined ? bytes : await this.#withoutEdits(known, bytes, seen);
        all = await this.#withLeft(all, uri, left);
      }
      return all;
    });
  }

  /** Keeps that commands have changed these files, whose earlier contents are not known. */
  addUnrestored(paths: readonly string[]): Promise<void> {
    return this.#kept.addUnrestored(paths);
  }

  /** What restoring does not bring back. */
  unrestored(): Promise<readonly string[]> {
    return this.#kept.unrestored();
  }

  /**
   * Keeps the run's version of a file, so that the user's own edits can be distinguished from it.
   * @param seen the text that the run has changed, which the user may have edited before. By default, the run's earlier
   *   version.
   */
  wrote(uri: vscode.Uri, seen?: string): Promise<void> {
    return this.#kept.change(async (files) => {
      const file = files.find((one) => one.uri === uri.toString());
      if (file === undefined) return files;
      const bytes = await bytesOf(uri);
      return this.#withLeft(files, uri, bytes && (await this.#withoutEdits(file, bytes, seen)));
    });
  }

  /** Keeps that a file was renamed, before or after other changes of it. */
  renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    return this.#kept.change(async (files) => {
      const earlier = files.find((file) => file.uri === from.toString());
      // A file that the run has created under its earlier name is a new one.
      const origin = earlier?.copy === undefined ? earlier?.renamedFrom : earlier.uri;
      const left = earlier?.left;
      const bytes = left === undefined || left === null ? await bytesOf(to) : await this.#kept.read(left);
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
    return this.#kept.change((files) => this.#withLeft(files, uri, content));
  }

  /** What the run left of a file; undefined if it left none. A file that is not known to be edited is as it was left. */
  async left(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const file = (await this.#kept.list()).find((one) => one.uri === uri.toString());
    if (file?.left === undefined) return bytesOf(uri);
    return file.left === null ? undefined : this.#kept.read(file.left);
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
   * @returns what makes the earlier decisions count again, once the files have their contents of now: all but those with
   *   these URIs. The run may have gone on, so its later files stay in the list.
   */
  async restore(): Promise<(edited: ReadonlySet<string>) => Promise<void>> {
    await this.#writeBack(await this.changed(), ({ copy }) => copy);
    const earlier = new Map((await this.#kept.list()).map((file) => [file.uri, file]));
    await this.#kept.change(async (files) =>
      files.map(({ accepted: _, left, ...file }) => (left === undefined ? file : { ...file, left: file.copy ?? null })),
    );
    return (edited) =>
      this.#kept.change(async (files) =>
        files.map((file) => (edited.has(file.uri) ? file : (earlier.get(file.uri) ?? file))),
      );
  }

  /**
   * Called before files are written: a link could have taken the place of one, or of its folder, since it was kept.
   * @throws if one now leads elsewhere.
   */
  async checkPlaces(uris: readonly vscode.Uri[]): Promise<void> {
    const files = await this.#kept.list();
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
    const file = (await this.#kept.list()).find((one) => one.uri === uri.toString());
    const base = file && baseOf(file);
    return base === undefined ? undefined : this.#kept.read(base);
  }

  /** Accepts a content of a file, which it is compared with from now on; undefined if it is accepted that it is gone. */
  setBase(uri: vscode.Uri, content: Uint8Array | undefined): Promise<void> {
    return this.#kept.change(async (files) => {
      const accepted = content === undefined ? null : `${nameOf(uri)}.accepted`;
      if (accepted !== null && content !== undefined) await this.#kept.write(accepted, content);
      return files.map((file) => (file.uri === uri.toString() ? { ...file, accepted } : file));
    });
  }

  async #compared(baseOfFile: (file: KeptFile) => string | undefined): Promise<readonly ChangedFile[]> {
    const compared = (await this.#kept.list()).map(async (file): Promise<ChangedFile> => {
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
    if (left !== null && content !== undefined) await this.#kept.write(left, content);
    return files.map((file) => (file.uri === uri.toString() ? { ...file, left } : file));
  }

  /** Writes the bytes of the copies, because a file need not be text. */
  async #writeBack(
    changed: readonly Pick<ChangedFile, 'uri'>[],
    baseOfFile: (file: KeptFile) => string | undefined,
  ): Promise<void> {
    const files = await this.#kept.list();
    // All are looked at before the first one is written, and each one again right before it is.
    await this.checkPlaces(changed.map(({ uri }) => uri));
    for (const { uri } of changed) {
      await this.checkPlaces([uri]);
      const file = files.find((one) => one.uri === uri.toString());
      const base = file && baseOfFile(file);
      if (base === undefined) await deleteFile(uri);
      else await writeBytes(uri, await this.#kept.read(base));
    }
  }

  async #textOf(copy: string, uri: vscode.Uri): Promise<string> {
    return decode(await this.#kept.read(copy), uri);
  }
}

function isChanged({ before, after }: Pick<ChangedFile, 'before' | 'after'>): boolean {
  return before !== after;
}

/** The copy that a review compares with: of what was accepted last, or else of what was there before the run. */
function baseOf({ copy, accepted }: KeptFile): string | undefined {
  return accepted === undefined ? copy : (accepted ?? undefined);
}

/** The text of a file. If it is not text, each byte is a character, so that two files have the same one if they are equal. */
async function decode(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  return (await decodedText(bytes, uri)) ?? Buffer.from(bytes).toString('latin1');
}
