import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exists } from '../../documents/exists.ts';
import { baseName } from '../../files/paths.ts';
import type { ChangeReview } from './changeReview.ts';

/** Changes that were written to a file. */
export interface WrittenChanges {
  readonly target: vscode.Uri;
  readonly original: string;
  readonly text: string;
  /** Whether the file had no unsaved changes before. */
  readonly wasSaved: boolean;
}

/**
 * Writes the accepted changes to the file's editor as one edit, which a single undo reverts, and shows the file. It is
 * not saved.
 * @returns undefined if the file has changed since the comparison.
 * @throws if the file no longer exists, or the editor rejects the edit.
 */
export async function writeChanges(
  target: vscode.Uri,
  { original, accepted }: ChangeReview,
): Promise<WrittenChanges | undefined> {
  await checkExists(target);
  const document = await vscode.workspace.openTextDocument(target);
  if (document.getText() !== original) return undefined;
  const wasSaved = !document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, oldLines, newLines } of accepted) {
    // A range may end after the last line. The editor treats that as the end of the text.
    edit.replace(target, new vscode.Range(start, 0, start + oldLines.length, 0), newLines.join(''));
  }
  await applyEdit(edit);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const first = new vscode.Position(accepted[0]?.start ?? 0, 0);
  editor.selection = new vscode.Selection(first, first);
  editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return { target, original, text: document.getText(), wasSaved };
}

/**
 * Restores the previous text with an edit, because the editor's `undo` command acts on whatever has the focus.
 * @throws if the file was edited since, or no longer exists.
 */
export async function revertChanges({ target, original, text, wasSaved }: WrittenChanges): Promise<void> {
  await checkExists(target);
  const document = await vscode.workspace.openTextDocument(target);
  if (document.getText() !== text) {
    throw new Error(l10n.t('{0} has been edited since. Undo the edits one by one.', baseName(target.path)));
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(target, new vscode.Range(0, 0, document.lineCount, 0), original);
  await applyEdit(edit);
  await vscode.window.showTextDocument(document, { preview: false });
  if (wasSaved) await document.save();
}

/** The editor may still hold the text of a deleted or renamed file, and would create the file again. */
async function checkExists(target: vscode.Uri): Promise<void> {
  if (target.scheme === 'untitled' || (await exists(target))) return;
  throw new Error(l10n.t('{0} no longer exists. Nothing was written.', vscode.workspace.asRelativePath(target)));
}

async function applyEdit(edit: vscode.WorkspaceEdit): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new Error(l10n.t('The editor could not apply the edit. The file may be read-only.'));
}
