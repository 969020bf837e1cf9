import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Opens an unsaved editor for a file that does not exist, with this text. */
export async function openNewFile(uri: vscode.Uri, text: string, column?: vscode.ViewColumn): Promise<void> {
  const content = text.endsWith('\n') ? text : `${text}\n`;
  if (uri.scheme === 'file') await openUnsaved(uri, content, column);
  else await vscode.window.showTextDocument(await created(uri, content), column);
}

export interface NamedFile {
  readonly folder: vscode.Uri;
  /** What follows the name, such as `.agent.md`. */
  readonly ending: string;
  readonly text: (name: string) => string;
  /** What the box that asks for the name says. */
  readonly question: Required<Pick<vscode.InputBoxOptions, 'title' | 'prompt' | 'placeHolder'>>;
}

/**
 * Asks for a name, and opens the new file, or an existing one with this name. Nothing happens if the box is closed.
 * @throws if the file cannot be created.
 */
export async function openNamedFile({ folder, ending, text, question }: NamedFile): Promise<void> {
  const name = await vscode.window.showInputBox({
    ...question,
    validateInput: (typed) => (/^[\p{L}\p{N}_-]+$/u.test(typed) ? undefined : l10n.t('Letters, digits, “-” and “_”.')),
  });
  if (name === undefined) return;
  const uri = vscode.Uri.joinPath(folder, `${name}${ending}`);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: Buffer.from(text(name)) });
  await vscode.window.showTextDocument(await documentAfter(edit, uri));
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
  return documentAfter(edit, uri);
}

async function documentAfter(edit: vscode.WorkspaceEdit, uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(l10n.t('Could not create the file {0}.', uri.path));
  return vscode.workspace.openTextDocument(uri);
}
