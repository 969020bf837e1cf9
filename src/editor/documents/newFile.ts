import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Opens an unsaved editor for a file that does not exist, with this text. */
export async function openNewFile(uri: vscode.Uri, text: string, column?: vscode.ViewColumn): Promise<void> {
  const content = text.endsWith('\n') ? text : `${text}\n`;
  if (uri.scheme === 'file') await openUnsaved(uri, content, column);
  else await vscode.window.showTextDocument(await created(uri, content), column);
}

/** Shown while it is empty: a changed document without a tab gets one from the editor, beside the other files. */
async function openUnsaved(uri: vscode.Uri, content: string, column: vscode.ViewColumn | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  await vscode.window.showTextDocument(document, column);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
  await vscode.workspace.applyEdit(edit);
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
