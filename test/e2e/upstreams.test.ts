import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import type { Editor } from '../support/editor/editor.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';

const STATUS = 'modelAccess.status';
const KEY = 'sk-e2e-canary-77aa01';

describe('an upstream configured alongside the sandbox', () => {
  let editor: Editor;
  let workbench: Workbench;
  let server: ModelServer;

  before(async () => {
    const said = { parts: [{ text: 'From the model server' }] };
    server = await ModelServer.start(({ format }) => (format === undefined ? undefined : said));
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
  });
  after(async () => {
    await workbench.clearNotifications();
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.upstreams': [], 'modelAccess.gateway.aliases': {} });
    await server.close();
  });

  const copied = async (command: string, done: string): Promise<string> => {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  };
  const client = async (): Promise<Anthropic> => {
    const baseURL = (await copied('Copy Gateway Address', 'Address copied')).replace(/\/v1$/, '');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    return new Anthropic({ baseURL, apiKey, maxRetries: 0 });
  };
  const ask = async (asking: Anthropic, model: string): Promise<string> => {
    const messages = [{ role: 'user' as const, content: 'echo: From the sandbox' }];
    const { content } = await asking.messages.create({ model, max_tokens: 100, messages });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };

  it('answers for its models with the entered key, and an invalid upstream is reported', async () => {
    const formats = ['chat-completions'];
    const local = { id: 'local', baseUrl: server.baseUrl, formats, models: ['llama*'], secret: 'local' };
    await editor.changeSettings({
      'modelAccess.upstreams': [local, { id: 'broken', baseUrl: 'nowhere', formats }],
      'modelAccess.gateway.aliases': { usual: 'local/llama-small' },
    });
    await workbench.runCommand('Model Access: Set Upstream Key…');
    await workbench.quickInput.pick(/^local/);
    await workbench.quickInput.title.getByText('Key “local”').waitFor();
    await workbench.quickInput.enter(KEY);
    await editor.page.locator('.part.statusbar').getByText('Key stored').waitFor();
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
    await workbench.notifications.waitFor('Upstream 2 (broken) in modelAccess.upstreams is ignored. baseUrl:');
    await editor.screenshot('upstream left out');
    await workbench.clearNotifications();
    const asking = await client();
    for (const model of ['llama-small', 'usual']) {
      assert.equal(await ask(asking, model), 'From the model server');
      // The gateway also requests the list of models.
      const question = server.requests.findLast(({ format }) => format !== undefined);
      assert.deepEqual(question?.headers.authorization, `Bearer ${KEY}`);
      assert.equal(question?.body.model, 'llama-small');
    }
    assert.equal(await ask(asking, 'familya-haiku-4.5'), 'From the sandbox');
    assert.deepEqual(await editor.profileFilesWith(KEY), []);
  });

  it('is removed from the running gateway as soon as it is removed from the settings', async () => {
    const asking = await client();
    await editor.changeSettings({ 'modelAccess.upstreams': [], 'modelAccess.gateway.aliases': {} });
    await eventually('the end of the upstream', () =>
      ask(asking, 'usual').then(
        () => false,
        (error: unknown) => error instanceof Anthropic.NotFoundError,
      ),
    );
  });
});
