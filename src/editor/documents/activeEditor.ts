import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * Returns the text editor in use, even while a panel has the focus.
 * @throws if no file is open.
 */
export function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error(l10n.t('Open a file and select code first.'));
  return editor;
}

/**
 * Returns the last selected line, counted from 0. A selection that ends before the first character of a line does not
 * include it.
 */
export function lastLineOf({ start, end }: vscode.Range): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}
