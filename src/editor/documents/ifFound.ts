import * as vscode from 'vscode';

const MISSING = new Set(['FileNotFound', 'FileNotADirectory']);

/**
 * Returns what was asked of the file system; undefined if the file or folder does not exist, also because a folder
 * of its path is a file. Asking first whether it exists would not be enough, because it can be gone a moment later.
 * @throws other errors of the file system.
 */
export async function ifFound<T>(asked: Thenable<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && MISSING.has(error.code)) return undefined;
    throw error;
  }
}
