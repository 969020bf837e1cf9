import type { Locator } from 'playwright-core';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { SideView } from '../support/editor/sideView.ts';
import { eventually } from '../support/eventually.ts';

describe('in a new profile', () => {
  let editor: Editor;
  let page: Locator;

  before(async () => {
    editor = await openEditor({ name: 'walkthrough', width: 1800, height: 900 });
    page = editor.page.locator('.gettingStartedContainer');
  });
  after(() => editor.close());

  const isDone = (step: string) => page.locator(`[data-done-step-id$="${step}"][aria-checked="true"]`).first();

  describe('the walkthrough', () => {
    it('has five steps with images', async () => {
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
      await page.getByRole('button', { name: 'Try the Sandbox', exact: true }).click();
      await isDone('connect').waitFor();
      const chat = await editor.openChat();
      await chat.askAndWait('echo: hello');
      await isDone('ask').waitFor();
      await workbench.pickCommand('Model Access: Show Balance');
      await isDone('cost').waitFor();
    });

    it('has matching setup actions in the views as long as there is no key', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Model Access: Leave the Sandbox');
      await workbench.waitForStatusBar('modelAccess.balance', 'Set up Model Access');
      const models = new SideView(editor.page, workbench, 'Models');
      await models.show();
      await models.welcome.getByText('Models appear here').waitFor();
      const gateway = new SideView(editor.page, workbench, 'Gateway');
      await gateway.welcome.getByRole('button', { name: 'Set Service Key' }).waitFor();
      await editor.screenshot('views without a key');
      await gateway.welcome.getByText('try the sandbox').click();
      await models.row('Family A').waitFor();
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
      await workbench.waitForStatusBar('modelAccess.balance', 'Sandbox');
      const link = 'code-oss://model-access.model-access/open?model=familyc-5.4&prompt=From%20another%20program';
      // A served editor has an address for its own scheme, which forwards the link to the window that created it.
      const other = await page.context().newPage();
      await other.goto(await leadOutside(link));
      await eventually('the text', async () => (await chat.composer.inputValue()) === 'From another program');
      await chat.frame.getByRole('button', { name: 'Model: familyc-5.4' }).waitFor();
      await other.close();
      await editor.screenshot('a link from another program');
      // For a retry, because a link appends to the existing text.
      await chat.composer.fill('');
    });
  });
});
