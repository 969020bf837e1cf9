import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName } from '../chat/context/paths.ts';
import type { CodePlace } from './codePlace.ts';
import type { EarlierTexts } from './earlierTexts.ts';

/** What was put in the place of something else. */
interface Replacement {
  readonly place: CodePlace;
  readonly code: string;
  /** Whether the file had no unsaved changes before. */
  readonly wasSaved: boolean;
}

/**
 * Puts the code in the place of what was sent, and offers to compare or to undo. Resolves once that offer is answered.
 * Where the text has changed meanwhile the code is shown beside it instead.
 */
export async function replaceCode(place: CodePlace, code: string, earlier: EarlierTexts): Promise<void> {
  const { document, range, text, label } = place;
  if (document.isClosed || document.getText(range) !== text) {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: code, language: document.languageId }),
      vscode.ViewColumn.Beside,
    );
    throw new Error(l10n.t('{0} has changed in the meantime. The new code is in a separate file.', label));
  }
  const before = earlier.keep(document.uri, document.getText());
  const replacement = { place, code: withLineBreaksOf(document, code), wasSaved: !document.isDirty };
  await put(document, range, replacement.code);
  await offerUndo(replacement, before);
}

async function offerUndo(replacement: Replacement, before: vscode.Uri): Promise<void> {
  const { document, label } = replacement.place;
  const [compare, undo] = [l10n.t('Show Changes'), l10n.t('Undo')];
  const choice = await vscode.window.showInformationMessage(l10n.t('{0} was changed.', label), compare, undo);
  if (choice === compare) {
    const title = l10n.t('{0}: before and after', baseName(document.uri.path));
    await vscode.commands.executeCommand('vscode.diff', before, document.uri, title);
  }
  if (choice === undo) await takeBack(replacement);
}

/** By an edit: the editor's command `undo` goes to whatever has the focus by then, such as the panel's composer. */
async function takeBack({ place, code, wasSaved }: Replacement): Promise<void> {
  const { document } = await vscode.window.showTextDocument(place.document.uri);
  const { start } = place.range;
  const written = new vscode.Range(start, document.positionAt(document.offsetAt(start) + code.length));
  if (document.getText(written) !== code) {
    throw new Error(l10n.t('{0} has been edited since. Undo the edits one by one.', place.label));
  }
  await put(document, written, place.text);
  if (wasSaved) await document.save();
}

async function put(document: vscode.TextDocument, range: vscode.Range, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new Error(l10n.t('The editor could not apply the edit. The file may be read-only.'));
}

function withLineBreaksOf({ eol }: vscode.TextDocument, code: string): string {
  return eol === vscode.EndOfLine.CRLF ? code.replaceAll('\n', '\r\n') : code;
}
