import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { keysIn } from '../support/editor/leakedKeys.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type HostedService, startHostedService } from '../support/hostedService.ts';
import { closedPort } from '../support/ports.ts';

const KEY = 'key_e2e_canary_5b1f0c7a9d3e2846fb7b';
const MASKED = 'key_…fb7b';
const STATUS = 'modelAccess.status';

describe('the service key', () => {
  let editor: Editor;
  let workbench: Workbench;
  let service: HostedService;

  before(async () => {
    service = await startHostedService(KEY);
    editor = await freshEditor();
    ({ workbench } = editor);
  });
  after(async () => {
    await editor.changeSettings({ 'modelAccess.baseAddress': '' });
    await service.stop();
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    if (await isConnected()) await removeKey();
  });

  async function enterKey(text: string): Promise<void> {
    await workbench.runCommand('Model Access: Set Service Key…');
    await workbench.quickInput.title.getByText('Service key').waitFor();
    await workbench.quickInput.enter(text);
  }

  async function enterAddress(text: string): Promise<void> {
    await workbench.quickInput.title.getByText('Service base address').waitFor();
    await workbench.quickInput.enter(text);
  }

  async function connect(): Promise<void> {
    await enterKey(KEY);
    await workbench.waitForStatusBar(STATUS, /\$\d/);
  }

  async function removeKey(): Promise<void> {
    await workbench.runCommand('Model Access: Remove Service Key');
    await workbench.notifications.dialog.getByRole('button', { name: 'Remove' }).click();
    await workbench.waitForStatusBar(STATUS, 'Set Service Key');
  }

  async function isConnected(): Promise<boolean> {
    return !(await workbench.statusBarItem(STATUS).innerText()).includes('Set Service Key');
  }

  async function assertNothingStored(): Promise<void> {
    await workbench.clearNotifications();
    await workbench.runCommand('Model Access: Show Service Key');
    await workbench.notifications.waitFor('No service key is set.');
    await workbench.waitForStatusBar(STATUS, 'Set Service Key');
  }

  describe('when entered for the first time', () => {
    afterEach(async () => {
      if (await isConnected()) await removeKey();
      await editor.changeSettings({ 'modelAccess.baseAddress': '' });
    });

    it('shows a hint while a different kind of key is typed', async () => {
      await workbench.runCommand('Model Access: Set Service Key…');
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await workbench.quickInput.input.and(editor.page.locator('[type=password]')).fill('sk-ant-abcdefgh');
      await workbench.quickInput.message.getByText('This looks like an Anthropic key').waitFor();
      await editor.screenshot('service key wrong kind');
      await workbench.quickInput.cancel();
    });

    it('is requested again if the service rejects it, and the address is kept', async () => {
      await enterKey('key_this_is_somebody_elses');
      await enterAddress(service.address);
      await workbench.notifications.waitFor('The key was not stored.');
      await editor.screenshot('service key refused');
      await workbench.notifications.choose('The key was not stored.', 'Change Key');
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await workbench.quickInput.enter(KEY);
      await workbench.notifications.waitFor(`Connected with key ${MASKED}.`);
    });

    it('is kept if the server is unreachable, and the address is requested again, prefilled', async () => {
      const wrong = `http://127.0.0.1:${await closedPort()}/api/v1`;
      await enterKey(KEY);
      await enterAddress(wrong);
      await workbench.notifications.waitFor('The key was not stored.');
      await editor.screenshot('service address wrong');
      await workbench.notifications.choose('The key was not stored.', 'Change Address');
      await workbench.quickInput.title.getByText('Service base address').waitFor();
      await eventuallyEqual(() => workbench.quickInput.input.inputValue(), wrong);
      await workbench.quickInput.enter(service.address);
      // The editor hides a notification that follows others within a short time.
      await workbench.waitForStatusBar(STATUS, /\$\d/);
    });

    it('is not stored if the user cancels', async () => {
      await enterKey('key_this_is_somebody_elses');
      await enterAddress(service.address);
      await workbench.notifications.waitFor('The key was not stored.');
      await assertNothingStored();
    });

    it('is still filled in after going back from the address', async () => {
      await workbench.runCommand('Model Access: Set Service Key…');
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await workbench.quickInput.enter(KEY);
      await workbench.quickInput.title.getByText('Service base address').waitFor();
      await editor.page.locator('.quick-input-widget').getByRole('button', { name: 'Back' }).click();
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await eventuallyEqual(() => workbench.quickInput.input.inputValue(), KEY);
      await workbench.quickInput.cancel();
    });

    it('connects even if pasted with quotes and “Bearer ”', async () => {
      await enterKey(`"Bearer ${KEY}"`);
      await enterAddress(service.address);
      await workbench.notifications.waitFor(`Connected with key ${MASKED}.`);
      await workbench.waitForStatusBar(STATUS, '$25.00');
      const chat = await editor.openChat();
      // The list closes when the focus moves to the composer, as the command requests.
      await chat.composer.and(chat.frame.locator(':focus')).waitFor();
      await chat.modelPicker.click();
      await chat.frame.getByRole('option').nth(10).waitFor();
      await chat.composer.click();
      const answer = await chat.askAndWait('Hello');
      await answer.getByText(/^\d+ out$/).waitFor();
      await editor.screenshot('service connected');
    });
  });

  describe('when the address is known', () => {
    before(() => editor.changeSettings({ 'modelAccess.baseAddress': service.address }));

    it('is shown with only its last four characters', async () => {
      await connect();
      await workbench.clearNotifications();
      await workbench.runCommand('Model Access: Show Service Key');
      const shown = workbench.notifications.with(MASKED);
      await shown.waitFor();
      assert.ok((await shown.innerText()).includes(service.address));
      assert.doesNotMatch(await shown.innerText(), /canary/);
    });

    it('is kept if its removal is not confirmed', async () => {
      await connect();
      await workbench.runCommand('Model Access: Remove Service Key');
      await workbench.notifications.dialog.getByText(`Remove ${MASKED}?`).waitFor();
      await editor.screenshot('service key remove');
      await workbench.notifications.dialog.getByRole('button', { name: 'Cancel' }).click();
      await workbench.notifications.dialog.waitFor({ state: 'detached' });
      await workbench.runCommand('Model Access: Show Service Key');
      await workbench.notifications.waitFor(`Service key ${MASKED}`);
    });

    it('is not written to any profile file or log', async () => {
      await connect();
      assert.deepEqual(await editor.profileFilesWith(KEY), []);
      assert.deepEqual(keysIn(await editor.logs.text()), []);
    });
  });
});
