import * as vscode from 'vscode';

/** A path below what is a file, such as the `.git` of a linked worktree, leads to nothing either. */
const MISSING: readonly string[] = ['FileNotFound', 'FileNotADirectory', 'FileIsADirectory'];

/** The text of a file in UTF-8; undefined where there is none. */
export async function readTextIfFound(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  } catch (error) {
    if (error instanceof vscode.FileSystemError && MISSING.includes(error.code)) return undefined;
    throw error;
  }
}
