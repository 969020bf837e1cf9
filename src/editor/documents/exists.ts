import * as vscode from 'vscode';

/**
 * Returns whether a file or folder exists.
 * @throws other errors of the file system.
 */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
