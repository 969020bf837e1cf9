import * as vscode from 'vscode';
import { folderOf, SKIPPED_FOLDERS } from '../../../files/paths.ts';
import { Guard } from '../guard/guard.ts';

/** The maximum number of files that are offered. In larger workspaces, the file dialog finds the others. */
const MAX_FILES = 20_000;

/** How long the list is cached, in milliseconds. */
const KEPT_MS = 10_000;

/** The workspace's files that may be offered, and their folders, by path. Folders end with `/`. */
export class OfferedFiles {
  #read: { readonly at: number; readonly files: Promise<ReadonlyMap<string, vscode.Uri>> } | undefined;

  byPath(): Promise<ReadonlyMap<string, vscode.Uri>> {
    if (this.#read === undefined || Date.now() - this.#read.at > KEPT_MS) {
      this.#read = { at: Date.now(), files: readFiles() };
    }
    return this.#read.files;
  }
}

/**
 * Returns the workspace folders without files in the list because the editor cannot search their file system.
 * @param files The files found.
 */
export function unsearchedFolders(files: Iterable<vscode.Uri>): readonly string[] {
  const virtual = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== 'file');
  if (virtual.length === 0) return [];
  const found = new Set([...files].map((uri) => vscode.workspace.getWorkspaceFolder(uri)?.name));
  return virtual.map(({ name }) => name).filter((name) => !found.has(name));
}

async function readFiles(): Promise<ReadonlyMap<string, vscode.Uri>> {
  const uris = await vscode.workspace.findFiles('**/*', SKIPPED_FOLDERS, MAX_FILES);
  // The targets of links are checked when one of them is attached.
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
