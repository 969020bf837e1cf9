import type { ChatPanel } from './chatPanel.ts';
import { type Editor, openEditor } from './editor.ts';
import type { EditorWindow } from './editorWindow.ts';

/*
 * Editors that several suites share, because starting one takes about ten seconds. Each test sets up what it needs, so
 * that it does not depend on earlier ones. `mochaHooks` closes them.
 */

let onSandbox: Promise<Editor> | undefined;
let withoutKey: Promise<Editor> | undefined;
let ofTools: Promise<Editor> | undefined;

const SANDBOX = { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 };

/** An editor with the sandbox. A test that starts the gateway in it must stop it again. */
export function sandboxEditor(): Promise<Editor> {
  onSandbox ??= openEditor({ name: 'sandbox', settings: SANDBOX });
  return withoutTabs(onSandbox);
}

/** An editor as after the installation. A test that connects it must disconnect it again. */
export function freshEditor(): Promise<Editor> {
  withoutKey ??= openEditor({ name: 'fresh', settings: { 'modelAccess.gateway.port': 0 } });
  return withoutTabs(withoutKey);
}

/** An editor with the sandbox, for suites that look at all that a key or a model has cost, or at all keys. */
export function toolsEditor(): Promise<Editor> {
  ofTools ??= openEditor({ name: 'tools', settings: SANDBOX });
  return withoutTabs(ofTools);
}

/**
 * Lets the sandbox pause between words during a suite, as it does for users, so that its tests see answers in progress.
 * Must be called after the hook that opens the editor.
 */
export function streamWordByWord(editor: () => Editor): void {
  before(() => editor().changeSettings({ 'modelAccess.sandbox.delay': 12 }));
  after(() => editor().changeSettings({ 'modelAccess.sandbox.delay': 0 }));
}

/** Connects the fresh editor to a service, until `disconnect`. */
export async function connect(editor: Editor, key: string, address: string): Promise<void> {
  const { workbench } = editor;
  await editor.changeSettings({ 'modelAccess.baseAddress': address });
  await workbench.runCommand('Model Access: Set Service Key…');
  await workbench.quickInput.title.getByText('Service key').waitFor();
  await workbench.quickInput.enter(key);
  await workbench.notifications.waitFor('Connected with key');
  await workbench.clearNotifications();
}

/** Shows a new chat, and removes the service key and the address of the service. */
export async function disconnect(editor: Editor): Promise<void> {
  const { workbench } = editor;
  await newChat(editor);
  await workbench.runCommand('Model Access: Remove Service Key');
  await workbench.notifications.dialog.getByRole('button', { name: 'Remove' }).click();
  await workbench.waitForStatusBar('modelAccess.balance', 'Set up Model Access');
  await editor.changeSettings({ 'modelAccess.baseAddress': '' });
}

/** Closes the tabs of the previous suite, which would be found instead of those that the next one opens. */
async function withoutTabs(opened: Promise<Editor>): Promise<Editor> {
  const editor = await opened;
  await editor.workbench.closeAllEditors();
  return editor;
}

/** Shows an empty chat with the focus in the composer. */
export async function newChat({ workbench, chat }: Pick<EditorWindow, 'workbench' | 'chat'>): Promise<ChatPanel> {
  const { driver } = workbench;
  await workbench.clearNotifications();
  // Moves the focus away, so that its return shows that the command has ended.
  await driver.run('workbench.action.focusActiveEditorGroup');
  await driver.run('modelAccess.newConversation');
  await chat.emptyHeading.waitFor();
  await chat.composer.and(chat.frame.locator(':focus')).waitFor();
  await chat.clearComposer();
  return chat;
}
