import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { connect, disconnect, freshEditor, newChat, withEmptyLedger } from '../support/editor/sharedEditors.ts';
import { costIn, ShownFigures } from '../support/editor/shownFigures.ts';
import { SideView } from '../support/editor/sideView.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { USAGE } from '../support/modelServer/script.ts';

describe('the reported cost of a request to a service that reports usage only at the end', () => {
  const [CUT, ASKED] = ['cut-model', 'asked-model'];
  const pricing = { input: 40, output: 200 };
  const list = { object: 'list', data: [CUT, ASKED].map((id) => ({ id, pricing })) };
  const parts = [{ text: 'the service says some words, and more of them '.repeat(8) }];
  let service: ModelServer;
  let editor: Editor;
  let workbench: Workbench;
  let figures: ShownFigures;

  before(async () => {
    service = await ModelServer.start(({ path, body }) => {
      if (path.endsWith('/models')) return { status: 200, body: list };
      if (path.endsWith('/balance')) return { status: 200, body: { balance: 12.5, currency: 'USD' } };
      if (body?.model === CUT) return { parts, afterEvents: 20, ending: 'cut' };
      return body === undefined ? undefined : { parts };
    });
    editor = await freshEditor();
    ({ workbench } = editor);
    await editor.changeSettings({ 'modelAccess.chat.model': CUT });
    await connect(editor, 'key_figures-7d20a94c1be8f356', service.baseUrl);
    figures = new ShownFigures(editor);
  });
  withEmptyLedger(() => editor);
  after(async () => {
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.chat.model': '' });
    await disconnect(editor);
    await service.close();
  });

  it('is the same everywhere for an answer whose connection broke', async () => {
    await editor.openChat();
    const chat = await newChat(editor);
    await chat.frame.getByRole('button', { name: `Model: ${CUT}` }).waitFor();
    await chat.ask('Say something.');
    await chat.failure.waitFor();
    await figures.assertSame(CUT, await figures.inChat(chat.answers.first()));
  });

  it('is the same everywhere, and exact, for a stream whose client did not request usage', async () => {
    const view = new SideView(editor.page, workbench, 'Gateway');
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    const address = await copied('Copy Gateway Address', 'Address copied');
    const key = await copied('Copy Local Key', 'Local key copied');
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: ASKED, stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
    });
    assert.doesNotMatch(await response.text(), /"usage":\s*\{/);
    const inTraffic = await figures.inTraffic(ASKED);
    assert.deepEqual(inTraffic, { outputTokens: String(USAGE.completion), cost: '0.0046' });
    assert.deepEqual(await figures.inUsage(ASKED, false), inTraffic);
    await view.show();
    const row = view.row(/default.*\$/);
    await eventuallyEqual(async () => costIn(await row.innerText()), inTraffic.cost);
  });

  /** Returns what a command copies. */
  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }
});
