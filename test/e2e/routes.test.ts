import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

const MODEL = 'familya-haiku-4.5';

describe('routes', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
  });
  after(async () => {
    await editor.changeSettings({ 'modelAccess.routes': {} });
    await workbench.stopGateway();
    await workbench.clearNotifications();
  });

  async function answer(prompt: string, text: string): Promise<void> {
    await workbench.quickInput.message.getByText(prompt).waitFor();
    await workbench.quickInput.enter(text);
  }

  /** What a person copies for another tool. */
  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  it('are created from the models, tried without sending, and used by tools', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Model Access: Routes…');
    await quickInput.pick('New route…');
    await answer('Name of the route', 'coding');
    await quickInput.pickByName('familya-sonnet-4.6');
    await quickInput.pick('Add rule…');
    await quickInput.pick('Long requests…');
    await answer('For requests with more input tokens than', '1000');
    await quickInput.pickByName(MODEL);
    await quickInput.row('If it has more than 1,000 tokens').waitFor();
    await editor.screenshot('a route');
    await quickInput.pick('Try a request…');
    await quickInput.pick('No class');
    await answer('Name of the agent', '');
    await answer('Tools that the request offers', '');
    await answer('Input tokens', '2000');
    await quickInput.pick('No');
    await quickInput.row(new RegExp(`${MODEL}.*Would answer. Rule 1`)).waitFor();
    await editor.screenshot('a request on a route');
    for (const _ of ['the trial', 'the route', 'the list']) await editor.page.keyboard.press('Escape');

    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.gateway', /\d{4,5}/);
    const baseURL = await copied('Copy Gateway Address', 'Address copied');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const modelFor = async (content: string) => {
      const messages = [{ role: 'user' as const, content }];
      return (await client.chat.completions.create({ model: 'coding', max_tokens: 50, messages })).model;
    };
    await eventually('the route to be in use', async () => {
      const models = await client.models.list();
      return models.data.some(({ id }) => id === 'coding');
    });
    assert.equal(await modelFor('echo: hello'), 'familya-sonnet-4.6');
    assert.equal(await modelFor(`echo: ${'long words '.repeat(1000)}`), MODEL);
  });

  it('with a mistake leave the ones from before in use, and say what is wrong', async () => {
    await editor.changeSettings({ 'modelAccess.routes': { coding: { use: ['coding'] } } });
    await workbench.notifications.waitFor('modelAccess.routes.coding.use.0');
    await editor.screenshot('a mistake in routes');
  });
});
