import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Attachment } from './conversation/record.ts';

/** Larger files are refused: no context window here holds them. In bytes. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** The selected text of an editor, or the whole document when nothing is selected. */
export function attachSelection(editor: vscode.TextEditor): Attachment {
  const { document, selection } = editor;
  if (selection.isEmpty) return attachDocument(document);
  const [from, to] = [selection.start.line + 1, lastLine(selection) + 1];
  return describe('selection', document, `${baseName(document.uri)}:${from}–${to}`, document.getText(selection));
}

/** @throws when the file is too large or is not text. */
export async function attachFile(uri: vscode.Uri): Promise<Attachment> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > LARGEST_FILE) {
    throw new Error(`${baseName(uri)} is too large to attach (${Math.ceil(size / 1024 / 1024)} MB, at most 4 MB).`);
  }
  return attachDocument(await vscode.workspace.openTextDocument(uri));
}

export function attachDocument(document: vscode.TextDocument): Attachment {
  return describe('file', document, baseName(document.uri), document.getText());
}

function describe(kind: Attachment['kind'], document: vscode.TextDocument, label: string, text: string): Attachment {
  return {
    id: randomUUID(),
    kind,
    label,
    path: vscode.workspace.asRelativePath(document.uri),
    languageId: document.languageId,
    text,
    tokens: estimateTokens(text),
  };
}

/** A selection that ends before the first character of a line does not take that line. */
function lastLine({ start, end }: vscode.Selection): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function baseName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}
