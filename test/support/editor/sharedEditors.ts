import type { ChatPanel } from './chatPanel.ts';
import { type Editor, openEditor } from './editor.ts';
import type { EditorWindow } from './editorWindow.ts';

/*
 * Editors that several suites share, since a start takes about ten seconds. Each test brings about what it needs, so
 * that it does not depend on the ones before. `mochaHooks` closes them.
 */

let onSandbox: Promise<Editor> | undefined;
let withoutKey: Promise<Editor> | undefined;

const SANDBOX = { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 };

/** Whoever starts the gateway in it stops it again. */
export function sandboxEditor(): Promise<Editor> {
  onSandbox ??= openEditor({ name: 'sandbox', settings: SANDBOX });
  return withoutTabs(onSandbox);
}

/** As after the installation. Whoever connects it disconnects it again. */
export function freshEditor(): Promise<Editor> {
  withoutKey ??= openEditor({ name: 'fresh' });
  return withoutTabs(withoutKey);
}

/** What the suite before has left open would take the place of what the next one opens. */
async function withoutTabs(opened: Promise<Editor>): Promise<Editor> {
  const editor = await opened;
  await editor.workbench.closeAllEditors();
  return editor;
}

/** Shows the chat with nothing in it, and the caret in its message. */
export async function newChat({ workbench, chat }: Pick<EditorWindow, 'workbench' | 'chat'>): Promise<ChatPanel> {
  const { driver } = workbench;
  await workbench.clearNotifications();
  // From elsewhere, so that the coming of the focus says that nothing else will follow.
  await driver.run('workbench.action.focusActiveEditorGroup');
  await driver.run('modelAccess.newConversation');
  await chat.emptyHeading.waitFor();
  await chat.composer.and(chat.frame.locator(':focus')).waitFor();
  await chat.clearComposer();
  return chat;
}
