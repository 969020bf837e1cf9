import * as vscode from 'vscode';
import { attachFile, attachSelection } from './attachments.ts';
import type { ChatSession } from './chatSession.ts';

interface AttachChoice extends vscode.QuickPickItem {
  readonly attach: () => unknown;
}

/** Offers what can go with the question: the selection or file in the editor, or a file of the workspace. */
export async function pickAttachment(session: ChatSession): Promise<void> {
  const choice = await vscode.window.showQuickPick(attachChoices(session), { placeHolder: 'Attach to the question' });
  await choice?.attach();
}

function attachChoices(session: ChatSession): AttachChoice[] {
  const editor = vscode.window.activeTextEditor;
  const files: AttachChoice = { label: '$(files) Files…', attach: () => pickFiles(session) };
  if (editor === undefined) return [files];
  const name = vscode.workspace.asRelativePath(editor.document.uri);
  const label = editor.selection.isEmpty ? '$(file-code) Current file' : '$(list-selection) Selection';
  return [{ label, description: name, attach: () => session.composition.attach(attachSelection(editor)) }, files];
}

async function pickFiles(session: ChatSession): Promise<void> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach' });
  for (const uri of uris ?? []) session.composition.attach(await attachFile(uri));
}
