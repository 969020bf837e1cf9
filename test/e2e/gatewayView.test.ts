import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { openEditor } from '../support/editor/editor.ts';
import { SideView } from '../support/editor/sideView.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const MODEL = 'familya-haiku-4.5';
const NAME = 'view test';

describe('the gateway view', () => {
  let editor: Editor;
  let workbench: Workbench;
  let view: SideView;

  before(async () => {
    editor = await openEditor({
      name: 'gateway view',
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
    });
    ({ workbench } = editor);
    view = new SideView(editor.page, workbench, 'Gateway');
  });
  after(() => editor.close());

  beforeEach(async () => {
    await view.show();
    if (await view.welcome.isVisible()) await view.welcome.getByRole('button', { name: 'Start Gateway' }).click();
    await view.row('Running').waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  async function copied(row: string | RegExp, button: string): Promise<string> {
    await view.press(row, button);
    await editor.page
      .locator('.part.statusbar')
      .getByText(/copied$/)
      .waitFor();
    return workbench.readClipboard();
  }

  it('says where the gateway is, gives its address, and what to do once it is stopped', async () => {
    const address = await copied('http://127.0.0.1', 'Copy Gateway Address');
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    await view.row(/^Running.*in this window$/).waitFor();
    await view.row(/^messages.*\/messages$/).waitFor();
    await view.press('Running', 'Stop Gateway');
    await view.welcome.getByText('Other tools can use your key').waitFor();
    assert.equal(await view.rows.count(), 0);
    await editor.screenshot('gateway view off');
  });

  it('shows what a key has spent of its budget, and changes, copies and revokes it', async () => {
    const { quickInput, notifications } = workbench;
    await view.press('Local keys', 'Create Local Key');
    await quickInput.enter(NAME);
    await quickInput.pick('Tokens…');
    await quickInput.enter('100');
    await quickInput.pick('In total');
    await quickInput.pick('Until it is revoked');
    await quickInput.pick('All models');
    await view.row(`${NAME}0 of 100 tokens`).waitFor();
    const baseURL = await copied('http://127.0.0.1', 'Copy Gateway Address');
    const apiKey = await copied(NAME, 'Copy Local Key');
    assert.match(apiKey, /^key_/);
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    await client.chat.completions.create({ model: MODEL, max_tokens: 50, messages });
    await view.row(new RegExp(`${NAME}[1-9]\\d* of 100 tokens`)).waitFor();
    await view.row(/━─.*used just now/).waitFor();
    await editor.screenshot('gateway view');

    await view.choose(NAME, 'Change Name or Limits of a Local Key…');
    await quickInput.pick(/^Nameview test/);
    await quickInput.message.getByText('A name for the key').waitFor();
    await quickInput.enter('renamed');
    await view.row('renamed').waitFor();
    await view.choose('renamed', 'Revoke Local Key…');
    await notifications.dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await view.row('renamed').waitFor({ state: 'detached' });
    await assert.rejects(
      client.chat.completions.create({ model: MODEL, max_tokens: 50, messages }),
      OpenAI.AuthenticationError,
    );
  });
});
