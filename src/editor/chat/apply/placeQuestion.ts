/** Asks where the code of an answer goes in a file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Container, containersFor } from '../../../chat/apply/containers.ts';
import { marksIn } from '../../../chat/apply/marks.ts';
import { replaceLines } from '../../../chat/apply/proposal.ts';
import { removedItems } from '../../../chat/apply/removedItems.ts';
import { withShownMembers } from '../../../chat/apply/shownMembers.ts';
import { linesOf } from '../../../chat/review/lines.ts';
import { baseName } from '../../../files/paths.ts';
import type { MergeOffer, ModelMerge, ModelMerged } from './modelMerge.ts';

/** The most characters of a class or block's first line that a row has room for. */
const MAX_NAME = 50;

interface PlaceItem extends vscode.QuickPickItem {
  /** The file's new text. */
  readonly text?: string;
  readonly offer?: MergeOffer;
}

/**
 * Code that omits lines cannot be inserted as it is, because its marks would be in the file.
 * @param main the model that has answered.
 * @returns the new text with the cost of a merge, or undefined if the user canceled.
 * @throws if the code omits lines and no model can merge it.
 */
export async function askForPlace(
  document: vscode.TextDocument,
  code: string,
  merge: ModelMerge,
  main: string,
): Promise<{ readonly text: string; readonly answer?: ModelMerged['answer'] } | undefined> {
  const text = document.getText();
  const path = vscode.workspace.asRelativePath(document.uri);
  const offer = merge.offer({ path, text, code }, main);
  const containers = containersFor(text, code, document.uri.path);
  const omits = marksIn(code.split(/\r?\n/), text.split(/\r?\n/)).size > 0;
  if (omits && offer === undefined && containers.length === 0) {
    throw new Error(
      l10n.t('The code omits lines of {0}, and it is not certain which. Nothing was changed.', baseName(path)),
    );
  }
  const merging: PlaceItem[] = offer === undefined ? [] : [{ label: `$(git-merge) ${offer.label}`, offer }];
  const members = withShownMembers(text, code, document.uri.path);
  const items: PlaceItem[] = [
    ...(members === undefined
      ? []
      : [{ label: l10n.t('Change only what the code shows'), description: l10n.t('keeps all else'), text: members }]),
    ...containers.map(placeIn),
    ...(omits ? [] : placesFor(document, code, containers)),
    ...merging,
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Apply to {0}', baseName(document.uri.path)),
    placeHolder:
      omits && containers.length === 0
        ? l10n.t('The code omits lines, and it is not certain which.')
        : l10n.t('The place of the code is not certain. Choose where to put it.'),
  });
  if (chosen?.offer !== undefined) return merge.run(chosen.offer);
  return chosen?.text === undefined ? undefined : { text: chosen.text };
}

/** The places that do not depend on what the code contains. */
function placesFor(document: vscode.TextDocument, code: string, containers: readonly Container[]): PlaceItem[] {
  const text = document.getText();
  const { length } = linesOf(text);
  const appended = replaceLines(text, { start: length, end: length }, code);
  const hasFile = containers.some(({ head }) => head === undefined);
  const whole = replaceLines(text, { start: 0, end: length }, code);
  const removed = removedItems(text, whole, document.uri.path);
  return [
    ...cursorPlaces(document, code),
    ...(hasFile ? [] : [{ label: l10n.t('Append to the end of the file'), text: appended }]),
    {
      label: l10n.t('Replace the whole file'),
      text: whole,
      ...(removed.length > 0 && { description: l10n.t('removes {0}', removed.join(', ')) }),
    },
  ];
}

function placeIn({ head, line, text, isAfter }: Container): PlaceItem {
  if (head === undefined && isAfter) return { label: l10n.t('Insert at the beginning of the file'), text };
  if (head === undefined) return { label: l10n.t('Append to the end of the file'), text };
  const name = head.replaceAll(/^["']|["']?[\s{:]+$/g, '');
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const label = isAfter ? l10n.t('Insert after “{0}”', shown) : l10n.t('Append to “{0}”', shown);
  return { label, description: l10n.t('line {0}', line + 1), text };
}

function cursorPlaces(document: vscode.TextDocument, code: string): PlaceItem[] {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (editor === undefined) return [];
  const text = document.getText();
  const { start, end, isEmpty, active } = editor.selection;
  if (isEmpty) {
    const label = l10n.t('Insert before line {0}, at the cursor', active.line + 1);
    return [{ label, text: replaceLines(text, { start: active.line, end: active.line }, code) }];
  }
  const last = end.character === 0 ? end.line : end.line + 1;
  const label = l10n.t('Replace the selection, lines {0} to {1}', start.line + 1, last);
  return [{ label, text: replaceLines(text, { start: start.line, end: last }, code) }];
}
