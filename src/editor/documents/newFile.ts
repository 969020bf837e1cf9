import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Opens an unsaved editor for a file that does not exist, with this text. */
export async function openNewFile(uri: vscode.Uri, text: string, column?: vscode.ViewColumn): Promise<void> {
  const content = text.endsWith('\n') ? text : `${text}\n`;
  const document = uri.scheme === 'file' ? await unsaved(uri, content) : await created(uri, content);
  await vscode.window.showTextDocument(document, column);
}

async function unsaved(uri: vscode.Uri, content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
  await vscode.workspace.applyEdit(edit);
  return document;
}

/**
 * The editor saves untitled documents only to the local file system, so a file in a virtual folder is created
 * immediately.
 */
async function created(uri: vscode.Uri, content: string): Promise<vscode.TextDocument> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: Buffer.from(content) });
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(l10n.t('Could not create the file {0}.', uri.path));
  return vscode.workspace.openTextDocument(uri);
}
