import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';

/**
 * Attaches the terminal's selection. Extensions cannot read it, so it is copied through the clipboard, whose text is
 * restored afterwards; other contents of the clipboard are lost.
 * @throws if nothing is selected.
 */
export async function attachTerminalSelection(): Promise<Attachment> {
  const terminal = vscode.window.activeTerminal;
  const text = terminal === undefined ? '' : await selectedText();
  if (terminal === undefined || text.trim() === '') throw new Error(l10n.t('Select text in the terminal first.'));
  return textAttachment({
    kind: 'terminal',
    label: l10n.t('Terminal: {0}', terminal.name),
    path: terminal.name,
    languageId: '',
    text,
    note: lineCount(text),
  });
}

async function selectedText(): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  try {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await vscode.env.clipboard.readText();
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}

function lineCount(text: string): string {
  const lines = text.trimEnd().split('\n').length;
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', lines);
}
