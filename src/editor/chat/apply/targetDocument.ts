import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hunksBetween } from '../../../chat/review/hunks.ts';
import { exists } from '../../documents/ifFound.ts';

/** What the editor reads in place of bytes that are not in the encoding. A file can also contain it. */
const REPLACEMENT = '\uFFFD';

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

/** Whether the editor has read the file with an encoding that is not its own, so that saving it would lose some of it. */
async function hasLostCharacters(document: vscode.TextDocument): Promise<boolean> {
  const { uri, encoding } = document;
  const isFile = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  if (!isFile || !document.getText().includes(REPLACEMENT)) return false;
  const bytes = await vscode.workspace.fs.readFile(uri);
  const text = await vscode.workspace.decode(bytes, { encoding });
  const again = await vscode.workspace.encode(text, { encoding });
  return Buffer.compare(again, bytes) !== 0;
}

/**
 * Writes a text to the file's editor, only where it differs, as one edit that a single undo reverts. It is not saved.
 * @throws if the file no longer exists, saving it would lose characters, or the editor rejects the edit.
 */
export async function writeText(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await documentOf(uri);
  if (document === undefined) {
    throw new Error(l10n.t('{0} no longer exists. Nothing was written.', vscode.workspace.asRelativePath(uri)));
  }
  if (await hasLostCharacters(document)) {
    const path = vscode.workspace.asRelativePath(uri);
    throw new Error(
      l10n.t(
        'The editor has opened {0} with an encoding that loses some of its characters. Reopen it with its encoding.',
        path,
      ),
    );
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
