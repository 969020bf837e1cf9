import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** How long the status bar says that something was done, in milliseconds. */
const SHOWN_MS = 3_000;

/** Says in the status bar, for a moment, that something was done. */
export function showDone(text: string): void {
  vscode.window.setStatusBarMessage(text, SHOWN_MS);
}

/** Copies a text, and says so. */
export async function copyText(text: string, done = l10n.t('Copied')): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showDone(done);
}
