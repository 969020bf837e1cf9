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
