import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseWebAddress } from './webAddress.ts';

/** Asks for an address. Returns undefined if the user canceled. */
export async function askAddress(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t('Text of Web Page'),
    prompt: l10n.t('The text of the page is attached to your message, without scripts and images.'),
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        parseWebAddress(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
}
