import * as vscode from 'vscode';

/** Returns the document of a file if the editor has it open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted && !document.isClosed);
}

/** Returns the notebook of a file if the editor has it open. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.notebookDocuments.find(
    (notebook) => notebook.uri.toString() === wanted && !notebook.isClosed,
  );
}
