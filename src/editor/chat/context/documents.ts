import * as vscode from 'vscode';
import { lastLineOf } from '../../documents/activeEditor.ts';
import type { Attachment } from '../conversation/record.ts';
import { refuseLarge } from './fileSize.ts';
import { baseName } from './paths.ts';
import { textAttachment } from './textAttachment.ts';

/** Returns the selected text of an editor, or the whole document if nothing is selected. */
export function attachSelection(editor: vscode.TextEditor): Attachment {
  const { document, selection } = editor;
  if (selection.isEmpty) return attachDocument(document);
  const [from, to] = [selection.start.line + 1, lastLineOf(selection) + 1];
  return describe('selection', document, `${baseName(document.uri.path)}:${from}–${to}`, document.getText(selection));
}

/** @throws if the file is too large or is not text. */
export async function attachFile(uri: vscode.Uri): Promise<Attachment> {
  const { size } = await vscode.workspace.fs.stat(uri);
  refuseLarge(baseName(uri.path), size);
  return attachDocument(await vscode.workspace.openTextDocument(uri));
}

export function attachDocument(document: vscode.TextDocument): Attachment {
  return describe('file', document, baseName(document.uri.path), document.getText());
}

function describe(kind: Attachment['kind'], document: vscode.TextDocument, label: string, text: string): Attachment {
  const { uri, languageId } = document;
  return textAttachment({ kind, label, path: vscode.workspace.asRelativePath(uri), languageId, text });
}
