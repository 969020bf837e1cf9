import * as vscode from 'vscode';

/** Shows a value as JSON in an editor that saves nothing. */
export async function showJson(value: unknown): Promise<void> {
  const document = await vscode.workspace.openTextDocument({
    language: 'json',
    content: `${JSON.stringify(value, null, 2)}\n`,
  });
  await vscode.window.showTextDocument(document, { preview: true });
}
