import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChangeReview } from './changeReview.ts';

/**
 * Writes the changes that were taken into the file's editor, as one edit that one undo takes back, and shows it. The
 * file is not saved.
 * @returns false when the file is not what it was compared with.
 * @throws when the editor does not take the edit.
 */
export async function writeChanges(target: vscode.Uri, { original, accepted }: ChangeReview): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(target);
  if (document.getText() !== original) return false;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, oldLines, newLines } of accepted) {
    // A range may end behind the last line: the editor takes that for the end of the text.
    edit.replace(target, new vscode.Range(start, 0, start + oldLines.length, 0), newLines.join(''));
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(l10n.t('The editor could not apply the edit. The file may be read-only.'));
  }
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const first = new vscode.Position(accepted[0]?.start ?? 0, 0);
  editor.selection = new vscode.Selection(first, first);
  editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
