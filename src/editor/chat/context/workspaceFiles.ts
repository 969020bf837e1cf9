import * as vscode from 'vscode';
import { Guard } from './guard.ts';
import { folderOf } from './paths.ts';
import { SKIPPED_FOLDERS } from './skippedFolders.ts';

/** So many files are offered at most; in larger workspaces further ones are reached by the file dialog. */
const MAX_FILES = 20_000;

/** How long the list holds. In milliseconds. */
const KEPT_MS = 10_000;

/** The files of the workspace that may be offered, and their folders, by their paths. Folders end with `/`. */
export class WorkspaceFiles {
  #read: { readonly at: number; readonly files: Promise<ReadonlyMap<string, vscode.Uri>> } | undefined;

  byPath(): Promise<ReadonlyMap<string, vscode.Uri>> {
    if (this.#read === undefined || Date.now() - this.#read.at > KEPT_MS) {
      this.#read = { at: Date.now(), files: readFiles() };
    }
    return this.#read.files;
  }
}

/**
 * The folders of the workspace of which the list has nothing because the editor cannot search their file system.
 *
 * @param files what was found.
 */
export function unsearchedFolders(files: Iterable<vscode.Uri>): readonly string[] {
  const virtual = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== 'file');
  if (virtual.length === 0) return [];
  const found = new Set([...files].map((uri) => vscode.workspace.getWorkspaceFolder(uri)?.name));
  return virtual.map(({ name }) => name).filter((name) => !found.has(name));
}

async function readFiles(): Promise<ReadonlyMap<string, vscode.Uri>> {
  const uris = await vscode.workspace.findFiles('**/*', SKIPPED_FOLDERS, MAX_FILES);
  // Where links lead is looked at when one of them is attached.
  const clear = await new Guard().clearByPath(uris);
  const files = new Map<string, vscode.Uri>();
  for (const uri of clear.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    addFolders(files, uri);
    files.set(vscode.workspace.asRelativePath(uri), uri);
  }
  return files;
}

function addFolders(files: Map<string, vscode.Uri>, file: vscode.Uri): void {
  let [path, uri] = [folderOf(vscode.workspace.asRelativePath(file)), vscode.Uri.joinPath(file, '..')];
  while (path !== '' && !files.has(`${path}/`)) {
    files.set(`${path}/`, uri);
    [path, uri] = [folderOf(path), vscode.Uri.joinPath(uri, '..')];
  }
}
