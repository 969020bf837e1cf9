import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

const GATEWAY = 'modelAccess.gateway';
const MODEL = 'familya-haiku-4.5';
const NAME = 'script for tests';

describe('local keys', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar(GATEWAY, /\d{4,5}/);
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

  /** A key that may spend 300 tokens a day, through all the questions. */
  async function create(): Promise<string> {
    const { quickInput, notifications } = workbench;
    await workbench.runCommand('Model Access: Create Local Key…');
    await quickInput.title.getByText('Create local key').waitFor();
    await quickInput.input.fill('default');
    await quickInput.message.getByText('A key named "default" already exists.').waitFor();
    await quickInput.enter(NAME);
    await quickInput.pick('Tokens…');
    await quickInput.message.getByText('Tokens, input and output together').waitFor();
    await quickInput.enter('300');
    await quickInput.pick('Per day');
    await quickInput.pick('For one week');
    await quickInput.pick('Names or patterns…');
    await quickInput.message.getByText('Names separated by commas').waitFor();
    await quickInput.enter('familya-*');
    await quickInput.pick('No request limits');
    const made = `The local key “${NAME}” grants access to the gateway: 300 tokens per day, expires on`;
    await notifications.with(made).waitFor();
    await editor.screenshot('local key created');
    await notifications.choose(made, 'Copy Key');
    await editor.page.locator('.part.statusbar').getByText('Local key copied').waitFor();
    return workbench.readClipboard();
  }

  async function manage(): Promise<void> {
    await workbench.runCommand('Model Access: Manage Local Keys…');
    await workbench.quickInput.title.getByText('Local keys').waitFor();
  }

  it('are created with a budget, refused with 402 beyond it, and revoked at once', async () => {
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

    // What a call has spent is entered after its answer, and the list shows what was entered when it was opened.
    await eventually('what was spent', async () => {
      await manage();
      const spent = await quickInput.row(NAME).innerText();
      if (/[1-9]\d* of 300 tokens spent today.*familya-\*/s.test(spent)) return true;
      await quickInput.cancel();
      return false;
    });
    await editor.screenshot('local keys');
    await quickInput.pick(NAME);
    await quickInput.pick('Show key');
    await notifications.dialog.getByText(secret).waitFor();
    await editor.page.keyboard.press('Escape');

    await manage();
    await quickInput.pick(NAME);
    await quickInput.pick('Revoke…');
    await notifications.dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await editor.page.locator('.part.statusbar').getByText(`Local key “${NAME}” revoked`).waitFor();
    await assert.rejects(ask(50), OpenAI.AuthenticationError);
    await manage();
    await quickInput.row('default').waitFor();
    assert.equal(await quickInput.rows.filter({ hasText: NAME }).count(), 0);
    await quickInput.cancel();
  });
});
