import * as vscode from 'vscode';
import { realPlace } from '../../files/realPlace.ts';

export interface RealUri {
  readonly uri: vscode.Uri;
  /** The path without any link; undefined on file systems other than this machine's. */
  readonly real?: string;
  readonly isInside: boolean;
}

/** Returns the real location of a workspace file. Links can be followed only on the machine's own file system. */
export async function realUri(uri: vscode.Uri): Promise<RealUri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  if (uri.scheme !== 'file') return { uri, isInside: vscode.workspace.getWorkspaceFolder(uri) !== undefined };
  const { path, real, isInside } = await realPlace(
    uri.fsPath,
    folders.map((folder) => folder.uri.fsPath),
  );
  return { uri: path === uri.fsPath ? uri : vscode.Uri.file(path), real, isInside };
}
