import * as vscode from 'vscode';
import { hasUnsavedText } from '../documents/hasUnsavedText.ts';

/** Returns the document of a file if the editor has it open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted && !document.isClosed);
}

/** Returns the document of a file if the editor has a text of it that is not saved. */
export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const open = openDocument(uri);
  return open !== undefined && hasUnsavedText(open) ? open : undefined;
}

/** Returns the notebook of a file if the editor has it open. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.notebookDocuments.find(
    (notebook) => notebook.uri.toString() === wanted && !notebook.isClosed,
  );
}
