import * as vscode from 'vscode';
import { baseName, SKIPPED_FOLDERS } from '../../files/paths.ts';
import { placesOf } from '../../files/placesOf.ts';
import { realUri } from './realUri.ts';

/** The maximum number of files that are searched. */
const MAX_FILES = 20_000;

/** How long the list of files is cached, in milliseconds. */
const KEPT_MS = 10_000;

/**
 * Finds the workspace file that a path in an answer refers to: by its location in a workspace folder, or else by the
 * end of its path if only one file matches. Files outside the workspace are not found, not even through a link.
 */
export class WorkspaceFileFinder {
  #listed: { readonly at: number; readonly byName: Promise<ReadonlyMap<string, readonly vscode.Uri[]>> } | undefined;

  async find(written: string): Promise<vscode.Uri | undefined> {
    const places = placesOf(written, vscode.workspace.workspaceFolders ?? []);
    for (const { folder, path } of places) {
      const uri = vscode.Uri.joinPath(folder.uri, path);
      if (await isFileInside(uri)) return uri;
    }
    for (const path of new Set(places.map((place) => place.path))) {
      const found = await this.#findByEnd(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #findByEnd(path: string): Promise<vscode.Uri | undefined> {
    if (this.#listed === undefined || Date.now() - this.#listed.at > KEPT_MS) {
      this.#listed = { at: Date.now(), byName: filesByName() };
    }
    const sameName = (await this.#listed.byName).get(baseName(path)) ?? [];
    const ending = sameName.filter((uri) => uri.path.endsWith(`/${path}`));
    const [only, other] = ending;
    return only !== undefined && other === undefined && (await isFileInside(only)) ? only : undefined;
  }
}

async function isFileInside(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0 && (await realUri(uri)).isInside;
  } catch {
    // The file does not exist.
    return false;
  }
}

async function filesByName(): Promise<ReadonlyMap<string, readonly vscode.Uri[]>> {
  const uris = await vscode.workspace.findFiles('**/*', SKIPPED_FOLDERS, MAX_FILES);
  return Map.groupBy(uris, (uri) => baseName(uri.path));
}
