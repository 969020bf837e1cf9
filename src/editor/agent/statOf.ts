import * as vscode from 'vscode';
import { ifFound } from '../documents/ifFound.ts';

/** Returns undefined if the file or folder does not exist. */
export function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return ifFound(vscode.workspace.fs.stat(uri));
}
