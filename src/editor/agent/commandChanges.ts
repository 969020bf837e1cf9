import * as vscode from 'vscode';
import { FolderSnapshot } from '../../agent/folderSnapshot.ts';
import { whenGitStarted } from '../git/gitApi.ts';
import type { Checkpoint } from './checkpoints.ts';

/** Files that one command may change so that each is reviewed and restored. More is work for Git, and named as a whole. */
const MAX_CHANGED = 500;

interface Watched {
  readonly folder: vscode.WorkspaceFolder;
  /** Undefined if the folder cannot be looked at. */
  readonly snapshot: FolderSnapshot | undefined;
}

/** Follows what a command or a tool of another extension changes in the workspace, so that it can be reviewed and restored. */
export class CommandChanges {
  readonly #checkpoint: Checkpoint;
  readonly #watched: readonly Watched[];
  /** The files of the run that the user has not edited. What a command changes in these is the run's. */
  readonly #unedited: readonly vscode.Uri[];
  /** What the user saves meanwhile is not the command's. */
  readonly #saved = new Set<string>();
  readonly #subscription: vscode.Disposable;

  private constructor(checkpoint: Checkpoint, watched: readonly Watched[], unedited: readonly vscode.Uri[]) {
    this.#checkpoint = checkpoint;
    this.#watched = watched;
    this.#unedited = unedited;
    this.#subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saved.add(uri.toString()));
  }

  static async begin(checkpoint: Checkpoint): Promise<CommandChanges> {
    const git = (await whenGitStarted().catch(() => undefined))?.git.path;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const watched = folders.map(async (folder) => {
      const snapshot = await FolderSnapshot.take(folder.uri.fsPath, git).catch(() => undefined);
      return { folder, snapshot };
    });
    return new CommandChanges(checkpoint, await Promise.all(watched), await checkpoint.unedited());
  }

  /** Keeps what has changed since. */
  async end(): Promise<void> {
    this.#subscription.dispose();
    for (const uri of this.#unedited) await this.#checkpoint.wrote(uri);
    for (const watched of this.#watched) await this.#keep(watched);
  }

  async #keep({ folder, snapshot }: Watched): Promise<void> {
    const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
    // The command may have changed too many files, or removed the folder.
    const changes = await snapshot?.changes(MAX_CHANGED).catch(() => undefined);
    const own = (changes?.changed ?? [])
      .map(({ path, before }) => ({ uri: uriOf(path), before }))
      .filter(({ uri }) => !this.#saved.has(uri.toString()));
    if (changes === undefined || own.length > MAX_CHANGED) return this.#checkpoint.addUnrestored([`${folder.name}/`]);
    const { unknown } = changes;
    const pathOf = (path: string) => vscode.workspace.asRelativePath(uriOf(path));
    if (unknown.length > 0) await this.#checkpoint.addUnrestored(unknown.map(pathOf));
    if (own.length > 0) await this.#checkpoint.keepChanged(own);
  }
}
