import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The text editor that the person works in, also while a panel has the focus. @throws when no file is open. */
export function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error(l10n.t('Open a file and select code first.'));
  return editor;
}

/** A selection that ends before the first character of a line does not take that line. Lines are counted from 0. */
export function lastLineOf({ start, end }: vscode.Range): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}
