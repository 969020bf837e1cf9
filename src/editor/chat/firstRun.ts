import * as vscode from 'vscode';

const STATE_KEY = 'modelAccess.shownOnce';

/** Shows the chat panel once after the installation, without moving the focus, because its tab is easily missed. */
export async function showOnce(memory: vscode.Memento): Promise<void> {
  if (memory.get(STATE_KEY) === true) return;
  await memory.update(STATE_KEY, true);
  await vscode.commands.executeCommand('modelAccess.chat.focus', { preserveFocus: true });
}
