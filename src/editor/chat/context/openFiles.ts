import * as vscode from 'vscode';

/** Returns the files in all tabs without duplicates. Tabs without a file, such as settings, are skipped. */
export function openFiles(): vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) => {
    if (input instanceof vscode.TabInputText) return [input.uri];
    return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
  });
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
