import * as vscode from 'vscode';
import { formatStatusBarEstimate } from '../../display/money.ts';
import { approximately, formatTokensExact } from '../../display/tokens.ts';
import type { CommandTable } from '../commands/commands.ts';
import type { SelectionCounter } from './selectionCounter.ts';

export function tokenCommands(counter: SelectionCounter): CommandTable {
  return { 'modelAccess.countTokens': { run: () => countTokens(counter) } };
}

/** The service's count of the selection, or of the whole document when nothing is selected. */
async function countTokens(counter: SelectionCounter): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('Open a file first: its selection is counted, or all of it.');
  const { tokens, estimated, cost, model } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Counting tokens' },
    () => counter.count(editor, new AbortController().signal),
  );
  const what = editor.selection.isEmpty ? vscode.workspace.asRelativePath(editor.document.uri) : 'The selection';
  const figure = estimated ? approximately(formatTokensExact(tokens)) : formatTokensExact(tokens);
  const price = cost === undefined ? '' : `, ${formatStatusBarEstimate(cost)} as input`;
  const source = estimated ? 'Estimated here: the service could not be asked.' : `Counted by the service for ${model}.`;
  void vscode.window.showInformationMessage(`${what}: ${figure} tokens${price}. ${source}`);
}
