import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hunksBetween } from '../../../chat/review/hunks.ts';
import { exists } from '../../documents/exists.ts';

/**
 * Returns undefined if the file no longer exists. The editor may still hold the text of a deleted or renamed one, and
 * would create the file again.
 */
export async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const isFile = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  if (isFile) return (await exists(uri)) ? vscode.workspace.openTextDocument(uri) : undefined;
  // An untitled file, or the cell of a notebook.
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString() && !one.isClosed);
}

/**
 * Writes a text to the file's editor, only where it differs, as one edit that a single undo reverts. It is not saved.
 * @throws if the file no longer exists, or the editor rejects the edit.
 */
export async function writeText(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await documentOf(uri);
  if (document === undefined) {
    throw new Error(l10n.t('{0} no longer exists. Nothing was written.', vscode.workspace.asRelativePath(uri)));
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { start, oldLines, newLines } of hunksBetween(document.getText(), text)) {
    // A range may end after the last line. The editor treats that as the end of the text.
    edit.replace(uri, new vscode.Range(start, 0, start + oldLines.length, 0), newLines.join(''));
  }
  // The editor changes the text of any file that is open, but could never save it.
  const isWritable = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
  if (isWritable && (await vscode.workspace.applyEdit(edit))) return document;
  throw new Error(l10n.t('The editor could not apply the edit. The file may be read-only.'));
}
