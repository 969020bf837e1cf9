import * as vscode from 'vscode';
import { baseName, SKIPPED_NAMES } from '../files/paths.ts';

/**
 * Calls back when what was created in the workspace may be a folder. The editor reports the folder, but in one of five
 * cases no file that is written to it in the same moment, such as by Git.
 */
export function onDidCreateFolder(act: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**', false, true, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(({ path }) => mayBeFolder(path) && act()),
  );
}

/** Names with an extension do not count, so that not every file that a build creates is a reason to look. */
function mayBeFolder(path: string): boolean {
  return /^\.?[^.]+$/.test(baseName(path)) && !path.split('/').some((name) => SKIPPED_NAMES.includes(name));
}
