import * as vscode from 'vscode';

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
