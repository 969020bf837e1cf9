import { emptyLedger } from '../ledgers.ts';
import type { ChatPanel } from './chatPanel.ts';
import { type Editor, openEditor } from './editor.ts';
import type { EditorWindow } from './editorWindow.ts';

/*
 * Editors that several suites share, because starting one takes about ten seconds. Each test sets up what it needs, so
 * that it does not depend on earlier ones. An idle editor takes CPU, too, so another one closes it: `npm run test:e2e`
 * runs the suites of the same editor one after another. `mochaHooks` closes the last one.
 */

const COMMON = {
  'modelAccess.gateway.port': 0,
  // Parts of the text editor that no test looks at, but that are drawn with each file.
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  // It would scroll what a test looks for out of sight, some time after a file was opened.
  'scm.autoReveal': false,
};
const OPTIONS = {
  sandbox: { settings: { ...COMMON, 'modelAccess.sandbox.enabled': true } },
  // Trusts its own folder and asks for others, as after the installation.
  fresh: { settings: COMMON, workspaceTrust: true },
};
type Name = keyof typeof OPTIONS;

let opened: { readonly name: Name; readonly editor: Promise<Editor> } | undefined;
/** Whether the sandbox of the fresh editor is on. */
let isInSandbox = false;

/** An editor with the sandbox. A test that starts the gateway in it must stop it again. */
export function sandboxEditor(): Promise<Editor> {
  return sharedEditor('sandbox');
}

/** An editor as after the installation. A test that connects it must disconnect it again. */
export async function freshEditor(): Promise<Editor> {
  const editor = await sharedEditor('fresh');
  if (isInSandbox) await turnSandbox(editor, false);
  return editor;
}

/**
 * The fresh editor with the sandbox, for suites that run at the same time as those of {@link sandboxEditor}. A test that
 * starts the gateway in it must stop it again.
 */
export async function freshSandboxEditor(): Promise<Editor> {
  const editor = await sharedEditor('fresh');
  if (!isInSandbox) await turnSandbox(editor, true);
  return editor;
}

async function turnSandbox(editor: Editor, isOn: boolean): Promise<void> {
  await editor.changeSettings({ 'modelAccess.sandbox.enabled': isOn });
  await editor.workbench.waitForStatusBar('modelAccess.status', isOn ? 'Sandbox' : 'Set Service Key');
  isInSandbox = isOn;
}

/**
 * Empties the ledger before a suite that looks at all that a key, a model, or the service has cost. Must be called after
 * the hook that opens the editor.
 */
export function withEmptyLedger(editor: () => Editor): void {
  before(() => emptyLedger(editor().ledger));
}

/** Returns an editor without the tabs of the previous suite, which would be found instead of those of the next one. */
async function sharedEditor(name: Name): Promise<Editor> {
  if (opened?.name !== name) {
    await (await opened?.editor)?.close();
    isInSandbox = false;
    opened = { name, editor: openEditor({ name, ...OPTIONS[name] }) };
  }
  const editor = await opened.editor;
  await editor.workbench.closeAllEditors();
  return editor;
}

/** Few words a second, because each one is drawn by itself. */
const WORD_MS = 40;

/**
 * Lets the sandbox pause between words during a suite, so that its tests see answers in progress. Must be called after
 * the hook that opens the editor.
 */
export function streamWordByWord(editor: () => Editor): void {
  before(() => editor().changeSettings({ 'modelAccess.sandbox.delay': WORD_MS }));
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
  await workbench.waitForStatusBar('modelAccess.status', 'Set Service Key');
  await editor.changeSettings({ 'modelAccess.baseAddress': '' });
}

/** Shows an empty chat with the focus in the composer. The one before does not go on, so that no picture shows it. */
export async function newChat({ workbench, chat }: Pick<EditorWindow, 'workbench' | 'chat'>): Promise<ChatPanel> {
  const { driver } = workbench;
  await workbench.clearNotifications();
  // Moves the focus away, so that its return shows that the command has ended.
  await driver.run('workbench.action.focusActiveEditorGroup');
  await driver.run('modelAccess.stopAnswer');
  await driver.run('modelAccess.newConversation');
  await chat.waitUntilShown();
  await chat.emptyHeading.waitFor();
  await chat.composer.and(chat.frame.locator(':focus')).waitFor();
  await chat.clearComposer();
  await chat.chooseAsk();
  return chat;
}
