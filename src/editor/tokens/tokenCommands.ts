import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatStatusBarEstimate } from '../../display/money.ts';
import { approximately, formatTokensExact } from '../../display/tokens.ts';
import type { CommandTable } from '../commands/commands.ts';
import type { SelectionCounter } from './selectionCounter.ts';

export function tokenCommands(counter: SelectionCounter): CommandTable {
  return { 'modelAccess.countTokens': { run: () => countTokens(counter) } };
}

/** Shows the service's count of the selection, or of the whole document if nothing is selected. */
async function countTokens(counter: SelectionCounter): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined)
    throw new Error(l10n.t('Open a file first. Its selection is counted, or the whole file if nothing is selected.'));
  const { tokens, estimated, cost, model } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: l10n.t('Counting tokens') },
    () => counter.count(editor, new AbortController().signal),
  );
  const what = editor.selection.isEmpty
    ? vscode.workspace.asRelativePath(editor.document.uri)
    : l10n.t('The selection');
  const figure = estimated ? approximately(formatTokensExact(tokens)) : formatTokensExact(tokens);
  const price = cost === undefined ? undefined : formatStatusBarEstimate(cost);
  const counted =
    price === undefined
      ? l10n.t('{0}: {1} tokens.', what, figure)
      : l10n.t('{0}: {1} tokens, {2} as input.', what, figure, price);
  const source = estimated
    ? l10n.t('Estimated on this machine because the service could not be reached.')
    : l10n.t('Counted by the service for {0}.', model);
  void vscode.window.showInformationMessage(`${counted} ${source}`);
}
