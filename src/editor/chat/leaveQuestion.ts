import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Asks before the user leaves a chat in which the agent works, because that stops it. */
export async function agreesToStop(): Promise<boolean> {
  const message = l10n.t(
    'The agent is working in this chat. It stops if you open another one, and you can continue it later.',
  );
  const stop = l10n.t('Stop and Open');
  return (await vscode.window.showWarningMessage(message, { modal: true }, stop)) === stop;
}
