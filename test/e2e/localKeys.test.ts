import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { KeyPageTab } from '../support/editor/keyPageTab.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const STATUS = 'modelAccess.status';
const MODEL = 'familya-haiku-4.5';
const NAME = 'script for tests';

describe('local keys', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
  });
  after(async () => {
    await workbench.clearNotifications();
    await workbench.stopGateway();
  });

  async function clientWith(apiKey: string): Promise<OpenAI> {
    await workbench.runCommand('Model Access: Copy Gateway Address');
    await editor.page.locator('.part.statusbar').getByText('Address copied').waitFor();
    return new OpenAI({ baseURL: await workbench.readClipboard(), apiKey, maxRetries: 0 });
  }

  /** Creates a key with a budget of 300 tokens per day on the page. */
  async function create(): Promise<string> {
    await workbench.runCommand('Model Access: Create Local Key…');
    const page = new KeyPageTab(editor.page);
    await page.name.fill('default');
    await page.create.press('Enter');
    await page.frame.getByText('A key named "default" already exists.').waitFor();
    await page.name.fill(NAME);
    await page.frame.getByText('Tokens', { exact: true }).click();
    await page.field('Each day').fill('300');
    await page.frame.getByText('Only these').click();
    await page.field('Names separated by commas').fill('familya-*');
    await page.frame.getByText('In 30 days').click();
    await page.frame.getByText(`${NAME} can spend 300 tokens per day on familya-*. It expires in 30 days.`).waitFor();
    await page.create.press('Enter');
    await page.frame.getByText(`The local key “${NAME}” was created.`).waitFor();
    await editor.screenshot('local key created');
    await page.unfoldLimits();
    await page.field('Parallel requests').fill('4');
    await page.field('Parallel requests').press('Enter');
    await page.frame.getByText(`The local key “${NAME}” was changed.`).waitFor();
    await page.frame.getByRole('button', { name: 'Copy Key' }).click();
    await editor.page.locator('.part.statusbar').getByText('Copied', { exact: true }).waitFor();
    await page.close();
    return workbench.readClipboard();
  }

  async function manage(): Promise<void> {
    await workbench.runCommand('Model Access: Manage Local Keys…');
    await workbench.quickInput.title.getByText('Local keys').waitFor();
  }

  it('are created with a budget, rejected with 402 beyond it, and revoked immediately', async () => {
    const { quickInput, notifications } = workbench;
    const secret = await create();
    assert.match(secret, /^key_[\w-]{43}$/);
    const client = await clientWith(secret);
    const ask = (maxTokens: number, model = MODEL) =>
      client.chat.completions.create({
        model,
        max_tokens: maxTokens,
        messages: [{ role: 'user', content: 'echo: hello' }],
      });
    assert.equal((await ask(50)).choices[0]?.message.content, 'hello');
    await assert.rejects(ask(5000), (error) => error instanceof OpenAI.APIError && error.status === 402);
    await assert.rejects(ask(50, 'familyc-5.4'), OpenAI.PermissionDeniedError);

    // The cost of a call is recorded after its answer, and the list shows what was recorded when it was opened.
    await eventually('what was spent', async () => {
      await manage();
      const spent = await quickInput.row(NAME).innerText();
      if (/[1-9]\d* of 300 tokens spent today.*familya-\*/s.test(spent)) return true;
      await quickInput.cancel();
      return false;
    });
    await editor.screenshot('local keys');
    await quickInput.pickByName(NAME);
    await quickInput.pick('Show key');
    await notifications.dialog.getByText(secret).waitFor();
    await editor.page.keyboard.press('Escape');

    await manage();
    await quickInput.pickByName(NAME);
    await quickInput.pick('Revoke…');
    await notifications.dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await editor.page.locator('.part.statusbar').getByText(`Local key “${NAME}” revoked`).waitFor();
    await assert.rejects(ask(50), OpenAI.AuthenticationError);
    await manage();
    await quickInput.row('default').waitFor();
    await eventuallyEqual(() => quickInput.rows.filter({ hasText: NAME }).count(), 0);
    await quickInput.cancel();
  });
});
