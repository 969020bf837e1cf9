import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Editor } from '../support/editor/editor.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const STATUS = 'modelAccess.status';

describe('the first run without a key', () => {
  let editor: Editor;

  before(async () => {
    editor = await freshEditor();
  });

  async function leaveSandbox(): Promise<void> {
    await editor.workbench.runCommand('Model Access: Leave the Sandbox');
    await editor.workbench.waitForStatusBar(STATUS, 'Set Service Key');
  }

  // First, because the others open the chat and complete the steps of the walkthrough.
  describe('the editor', () => {
    it('shows the welcome view automatically after installation', async () => {
      await editor.chat.waitUntilShown();
      await editor.chat.frame.getByRole('heading', { name: 'Know the price before you send' }).waitFor();
    });
  });

  describe('the walkthrough', () => {
    let page: Locator;

    before(async () => {
      await editor.page.setViewportSize({ width: 1800, height: 900 });
      page = editor.page.locator('.gettingStartedContainer');
    });
    after(() => editor.page.setViewportSize({ width: 1280, height: 800 }));

    const isDone = (step: string) => page.locator(`[data-done-step-id$="${step}"][aria-checked="true"]`).first();

    it('has seven steps with images', async () => {
      await editor.workbench.runCommand('Model Access: Get Started');
      await page.getByText('Get Started with Model Access').first().waitFor();
      const picture = page
        .frameLocator('.getting-started-media iframe')
        .frameLocator('iframe#active-frame')
        .locator('svg');
      for (const [step, shown] of [
        ['Set a key or try the sandbox', '3f9a'],
        ['Ask your first question', '$0.0042'],
        ['See what it costs', '$12.39'],
        ['Let the agent make a change', 'npm test'],
        ['Get suggestions while you type', 'cheapest'],
        ['Connect another tool', '127.0.0.1:8787'],
        ['Use the models in the editor’s own chat', 'code-fast-1'],
      ] as const) {
        await page.getByRole('button', { name: step }).click();
        await picture.getByText(shown).waitFor();
        await editor.screenshot(`walkthrough ${step}`);
      }
    });

    it('marks steps as done when they are completed', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Model Access: Get Started');
      await page.getByRole('button', { name: 'Set a key or try the sandbox' }).click();
      await page.getByText('try the sandbox', { exact: true }).click();
      await isDone('connect').waitFor();
      const chat = await editor.openChat();
      await chat.askAndWait('echo: hello');
      await isDone('ask').waitFor();
      await workbench.pickCommand('Model Access: Show Balance');
      await isDone('cost').waitFor();
      await leaveSandbox();
    });

    it('has matching setup actions in the views as long as there is no key', async () => {
      const { workbench } = editor;
      const models = new SideView(editor.page, workbench, 'Models');
      await models.show();
      await models.welcome.getByText('Models appear here').waitFor();
      const gateway = new SideView(editor.page, workbench, 'Gateway');
      await gateway.welcome.getByRole('button', { name: 'Set Service Key' }).waitFor();
      await editor.screenshot('views without a key');
      await gateway.welcome.getByText('try the sandbox').click();
      await models.row('Family A').waitFor();
      await leaveSandbox();
    });
  });

  describe('a link from another program', () => {
    const leadOutside = async (link: string): Promise<string> => {
      const { workbench } = editor;
      await workbench.clearClipboard();
      await workbench.runCommand('Acme: Copy Link from Outside');
      await workbench.quickInput.enter(link);
      await eventually('the address', async () => (await workbench.readClipboard()) !== '');
      return workbench.readClipboard();
    };

    it('opens the chat with its model and text, and sends nothing', async () => {
      const { chat, page, workbench } = editor;
      await workbench.runCommand('Model Access: Try the Sandbox');
      await workbench.waitForStatusBar('modelAccess.status', 'Sandbox');
      const link = 'code-oss://model-access.model-access/open?model=familyc-5.4&prompt=From%20another%20program';
      // A served editor has an address for its own scheme, which forwards the link to the window that created it.
      const other = await page.context().newPage();
      await other.goto(await leadOutside(link));
      await eventually('the text', async () => (await chat.composer.inputValue()) === 'From another program');
      await chat.frame.getByRole('button', { name: 'Model: familyc-5.4' }).waitFor();
      await other.close();
      await editor.screenshot('a link from another program');
      // A link appends to the existing text.
      await chat.composer.fill('');
      await leaveSandbox();
    });
  });

  describe('the extension', () => {
    it('asks for the key after a click in the status bar, and has the welcome view in a new chat', async () => {
      const { workbench, chat } = editor;
      await workbench.waitForStatusBar(STATUS, 'Set Service Key');
      await workbench.statusBarItem(STATUS).click();
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await workbench.quickInput.cancel();
      await workbench.runCommand('Model Access: New Chat');
      await chat.frame.getByRole('heading', { name: 'Know the price before you send' }).waitFor();
      await chat.frame.getByRole('button', { name: 'Set Service Key' }).waitFor();
      await chat.frame.getByRole('button', { name: /^Try the Sandbox/ }).waitFor();
      await eventuallyEqual(() => chat.composer.count(), 0);
      await editor.screenshot('first run');
    });

    it('offers setup when a command requires a connection', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Model Access: Show Balance');
      await workbench.notifications.waitFor('This requires a service key');
      await editor.screenshot('first run command');
      await workbench.notifications.choose('This requires a service key', 'Set Service Key');
      await workbench.quickInput.title.getByText('Service key').waitFor();
      await workbench.quickInput.cancel();
    });

    it('says that inline suggestions need a key', async () => {
      const { workbench } = editor;
      await editor.changeSettings({ 'modelAccess.inlineSuggestions.enabled': true });
      await workbench.hoverStatusBar('modelAccess.status', /there is no service key/);
      await editor.changeSettings({ 'modelAccess.inlineSuggestions.enabled': false });
    });

    it('asks for the key after a click on the panel’s button', async () => {
      const chat = await editor.openChat();
      await chat.frame.getByRole('button', { name: 'Set Service Key' }).click();
      await editor.workbench.quickInput.title.getByText('Service key').waitFor();
      await editor.workbench.quickInput.cancel();
    });

    it('shows what data is sent and where', async () => {
      const chat = await editor.openChat();
      await chat.frame.getByRole('button', { name: 'What is sent, and where' }).click();
      const preview = editor.page.frameLocator('iframe.webview[src*="markdown"]').frameLocator('iframe#active-frame');
      await preview.getByRole('heading').first().waitFor();
      await editor.screenshot('first run privacy');
      await editor.workbench.closeAllEditors();
    });

    it('starts the sandbox, which answers immediately, and leaves it again', async () => {
      const { workbench } = editor;
      const chat = await editor.openChat();
      assert.equal(await workbench.offersCommand('Model Access: Leave the Sandbox'), false);
      await chat.frame.getByRole('button', { name: /^Try the Sandbox/ }).click();
      await chat.composer.waitFor();
      await workbench.waitForStatusBar(STATUS, /Sandbox · \$2[45]\.\d\d/);
      await editor.screenshot('first run sandbox');
      const answer = await chat.askAndWait('Hello');
      await answer.getByText(/real model/i).waitFor();
      await leaveSandbox();
      await chat.frame.getByRole('button', { name: 'Set Service Key' }).waitFor();
    });

    it('keeps the sandbox’s credit until it is restored in its menu', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Model Access: Try the Sandbox');
      await workbench.waitForStatusBar(STATUS, /Sandbox · \$24\.\d\d/);
      const chat = await editor.openChat();
      await chat.frame.getByRole('button', { name: 'Sandbox: sample money' }).click();
      await workbench.quickInput.root.getByText('Start Again').waitFor();
      await editor.screenshot('sandbox menu');
      await workbench.quickInput.pick('Start Again');
      await workbench.waitForStatusBar(STATUS, 'Sandbox · $25.00');
      await leaveSandbox();
    });

    it('shows what fills the context of an agent, with a session that its menu records', async () => {
      const { workbench, page } = editor;
      await workbench.runCommand('Model Access: Try the Sandbox');
      const chat = await editor.openChat();
      await chat.frame.getByRole('button', { name: 'Sandbox: sample money' }).click();
      await workbench.quickInput.pick('Show a Sample Session');
      const frame = tabFrame(page);
      await frame.getByRole('heading', { name: /^Sample agent/ }).waitFor();
      const findings = frame.locator('.findings li');
      await findings.filter({ hasText: 'The result of Bash npm test' }).waitFor();
      await findings.filter({ hasText: 'The tools of the server issues were defined in 36 requests' }).waitFor();
      await findings.filter({ hasText: 'The result of Read src/quote.ts was in the context twice' }).waitFor();
      await eventuallyEqual(() => frame.locator('.compaction-mark').count(), 1);
      await eventuallyEqual(() => frame.locator('.context .miss-mark').count(), 1);
      await editor.screenshot('sample session');
      await workbench.waitForStatusBar(STATUS, /Sandbox · \$2[45]\.\d\d/);
      await workbench.closeAllEditors();
      await leaveSandbox();
    });

    it('shows earlier chats without a key, and the chat as soon as the sandbox is on', async () => {
      const { workbench } = editor;
      const chat = await editor.openChat();
      await workbench.runCommand('Model Access: Open Chat from History…');
      await chat.historyRows.first().waitFor();
      await editor.screenshot('history without a key');
      await chat.historyRows.first().click();
      await chat.answers.first().waitFor();
      await chat.frame.getByText('To continue this chat').waitFor();
      await eventuallyEqual(() => chat.composer.count(), 0);
      await editor.screenshot('earlier chat without a key');
      await workbench.runCommand('Model Access: Open Chat from History…');
      await chat.history.waitFor();
      await workbench.runCommand('Model Access: Try the Sandbox');
      await chat.composer.waitFor();
      await leaveSandbox();
    });
  });
});
