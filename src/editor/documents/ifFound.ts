import * as vscode from 'vscode';

/**
 * Returns what was asked of the file system; undefined if the file or folder does not exist. Asking first whether it
 * exists would not be enough, because it can be gone a moment later.
 * @throws other errors of the file system.
 */
export async function ifFound<T>(asked: Thenable<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Returns undefined if the file or folder does not exist. */
export function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return ifFound(vscode.workspace.fs.stat(uri));
}

/**
 * Returns whether a file or folder exists.
 * @throws other errors of the file system.
 */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await statOf(uri)) !== undefined;
}

/** A path below a file, such as the `.git` file of a linked worktree, does not exist either. */
const MISSING: readonly string[] = ['FileNotFound', 'FileNotADirectory', 'FileIsADirectory'];

/** Returns a file's text in UTF-8; undefined if it does not exist. */
export async function readTextIfFound(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  } catch (error) {
    if (error instanceof vscode.FileSystemError && MISSING.includes(error.code)) return undefined;
    throw error;
  }
}
