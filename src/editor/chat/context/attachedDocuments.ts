import * as vscode from 'vscode';
import { type CountedAttachment, textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { lastLineOf } from '../../documents/activeEditor.ts';
import { hasUnsavedText } from '../../documents/hasUnsavedText.ts';
import type { CheckedUri } from '../guard/guard.ts';
import { readChecked } from './readChecked.ts';

/** Returns the selected text of an editor, or the whole document if nothing is selected. */
export function attachSelection(editor: vscode.TextEditor): CountedAttachment {
  const { document, selection } = editor;
  if (selection.isEmpty) return attachDocument(document);
  const [from, to] = [selection.start.line + 1, lastLineOf(selection) + 1];
  return describe('selection', document, `${baseName(document.uri.path)}:${from}–${to}`, document.getText(selection));
}

/** @throws if the file is too large or is not text. */
export async function attachFile(checked: CheckedUri): Promise<Attachment> {
  const { uri } = checked;
  const bytes = await readChecked(checked);
  const document = await vscode.workspace.openTextDocument(uri);
  if (hasUnsavedText(document)) return attachDocument(document);
  // The editor may not have noticed yet that another program has changed the file.
  return describe('file', document, baseName(uri.path), await vscode.workspace.decode(bytes, { uri }));
}

export function attachDocument(document: vscode.TextDocument): CountedAttachment {
  return describe('file', document, baseName(document.uri.path), document.getText());
}

function describe(
  kind: Attachment['kind'],
  document: vscode.TextDocument,
  label: string,
  text: string,
): CountedAttachment {
  const { uri, languageId } = document;
  return textAttachment({ kind, label, path: vscode.workspace.asRelativePath(uri), languageId, text });
}
