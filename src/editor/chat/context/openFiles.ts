import * as vscode from 'vscode';

/** The files in all tabs, each once. Settings, pictures of extensions and the like are none. */
export function openFiles(): vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) => {
    if (input instanceof vscode.TabInputText) return [input.uri];
    return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
  });
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
