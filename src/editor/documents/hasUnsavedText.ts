import * as vscode from 'vscode';

/**
 * Whether the editor has a text of a document that is not saved. When it has saved a text, it says to its extensions that
 * the document is saved, although an edit has replaced that text meanwhile; the tab of the document still knows.
 */
export function hasUnsavedText(document: vscode.TextDocument): boolean {
  if (document.isDirty) return true;
  const address = document.uri.toString();
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ isDirty, input }) => isDirty && textOf(input)?.toString() === address),
  );
}

/** The file that is edited in a tab. */
function textOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
