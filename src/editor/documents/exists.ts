import * as vscode from 'vscode';
import { ifFound } from './ifFound.ts';

/**
 * Returns whether a file or folder exists.
 * @throws other errors of the file system.
 */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await ifFound(vscode.workspace.fs.stat(uri))) !== undefined;
}
