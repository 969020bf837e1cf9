/** Asks where to insert code that has no similarity to the contents of a file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName } from '../../files/paths.ts';
import { linesOf } from '../review/lines.ts';
import { replaceLines } from './proposal.ts';
import type { Region } from './region.ts';

interface PlaceItem extends vscode.QuickPickItem {
  readonly region: Region;
}

/** Returns the text with the code inserted, or undefined if the user canceled. */
export async function askForPlace(document: vscode.TextDocument, code: string): Promise<string | undefined> {
  const text = document.getText();
  const { length } = linesOf(text);
  const items: PlaceItem[] = [
    ...cursorPlaces(document),
    { label: l10n.t('Append to the end of the file'), region: { start: length, end: length } },
    { label: l10n.t('Replace the whole file'), region: { start: 0, end: length } },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Apply to {0}', baseName(document.uri.path)),
    placeHolder: l10n.t('No similar code was found in the file. Choose where to put the code.'),
  });
  return chosen && replaceLines(text, chosen.region, code);
}

function cursorPlaces(document: vscode.TextDocument): PlaceItem[] {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (editor === undefined) return [];
  const { start, end, isEmpty, active } = editor.selection;
  if (isEmpty) {
    const label = l10n.t('Insert before line {0}, at the cursor', active.line + 1);
    return [{ label, region: { start: active.line, end: active.line } }];
  }
  const last = end.character === 0 ? end.line : end.line + 1;
  const label = l10n.t('Replace the selection, lines {0} to {1}', start.line + 1, last);
  return [{ label, region: { start: start.line, end: last } }];
}
