import type { ChatPanel } from './chatPanel.ts';
import { type Editor, openEditor } from './editor.ts';
import { retried } from './retried.ts';

const SHORT_WAIT_MS = 4000;

/*
 * Editors that several suites share, since a start takes about ten seconds. Each test brings about what it needs, so
 * that it does not depend on the ones before. `mochaHooks` closes them.
 */

let onSandbox: Promise<Editor> | undefined;
let withoutKey: Promise<Editor> | undefined;
let forGateway: Promise<Editor> | undefined;

const SANDBOX = { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 };

export function sandboxEditor(): Promise<Editor> {
  onSandbox ??= openEditor({ name: 'sandbox', settings: SANDBOX });
  return onSandbox;
}

/** For what a person does with the gateway: its view, tools and terminals. Whoever starts the gateway stops it again. */
export function gatewayEditor(): Promise<Editor> {
  forGateway ??= openEditor({ name: 'gateway', settings: SANDBOX });
  return forGateway;
}

/** As after the installation. Whoever connects it disconnects it again. */
export function freshEditor(): Promise<Editor> {
  withoutKey ??= openEditor({ name: 'fresh' });
  return withoutKey;
}

/** Shows the chat with nothing in it. */
export async function newChat({ workbench, chat }: Editor): Promise<ChatPanel> {
  // The button is quicker than the palette, but hides in a menu where the tabs beside it leave it no room. After a reload
  // the editor may draw it anew under the click, which is lost then.
  const button = workbench.secondarySideBar.getByRole('button', { name: 'New Chat' });
  await retried(async () => {
    if (await button.isVisible()) await button.click({ timeout: SHORT_WAIT_MS });
    else await workbench.runCommand('Model Access: New Conversation');
    await chat.emptyHeading.waitFor({ timeout: SHORT_WAIT_MS });
  });
  await chat.clearComposer();
  return chat;
}
