import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName } from '../chat/context/paths.ts';
import type { CodePlace } from './codePlace.ts';
import type { EarlierTexts } from './earlierTexts.ts';

/**
 * Puts the code in the place of what was sent, as one step of the editor's undo, and offers to compare or to undo.
 * Where the text has changed meanwhile it is shown beside it instead.
 */
export async function replaceCode(place: CodePlace, code: string, earlier: EarlierTexts): Promise<void> {
  const { document, range, text, label } = place;
  if (document.isClosed || document.getText(range) !== text) {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: code, language: document.languageId }),
      vscode.ViewColumn.Beside,
    );
    throw new Error(l10n.t('{0} has changed meanwhile: the new code is in a file of its own.', label));
  }
  const before = earlier.keep(document.uri, document.getText());
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, withLineBreaksOf(document, code));
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(l10n.t('The editor did not take the text: the file may be read-only.'));
  }
  void offerUndo(place, before, document.version);
}

async function offerUndo({ document, label }: CodePlace, before: vscode.Uri, version: number): Promise<void> {
  const [compare, undo] = [l10n.t('Show Changes'), l10n.t('Undo')];
  const choice = await vscode.window.showInformationMessage(l10n.t('{0} is changed.', label), compare, undo);
  if (choice === compare) {
    const title = l10n.t('{0}: before and after', baseName(document.uri.path));
    await vscode.commands.executeCommand('vscode.diff', before, document.uri, title);
  }
  if (choice !== undo) return;
  await vscode.window.showTextDocument(document);
  if (document.version === version) await vscode.commands.executeCommand('undo');
  else void vscode.window.showInformationMessage(l10n.t('{0} was edited since. Undo step by step.', label));
}

function withLineBreaksOf({ eol }: vscode.TextDocument, code: string): string {
  return eol === vscode.EndOfLine.CRLF ? code.replaceAll('\n', '\r\n') : code;
}
