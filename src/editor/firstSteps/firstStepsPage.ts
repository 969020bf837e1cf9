import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { WALKTHROUGH, walkthroughIsRead } from './walkthrough.ts';

/**
 * Opens the walkthrough in its tab if the editor has loaded it. Otherwise, a new profile would show one of the editor's
 * own walkthroughs, and keep showing it.
 */
export async function openFirstSteps(): Promise<void> {
  const isRead = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, walkthroughIsRead);
  if (isRead) await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH);
  else await offerReload();
}

async function offerReload(): Promise<void> {
  const reload = l10n.t('Reload Window');
  const text = l10n.t('The Get Started walkthrough is not loaded in this window yet. Reload the window to load it.');
  if ((await vscode.window.showWarningMessage(text, reload)) !== reload) return;
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
