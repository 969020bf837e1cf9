import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Parameters } from '../../src/chat/conversation/parameters.ts';
import { editorTools } from '../../src/editor/agent/tools/editorTools.ts';
import type { Services } from '../../src/editor/services.ts';
import type { ChatRequest } from '../../src/formats/conversation.ts';
import { FORMAT_NAMES } from '../../src/formats/conversation.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import type { ScriptedModel } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

/** One pixel. */
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('images in results of the agent’s tools', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;
  let file: vscode.Uri;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    file = vscode.Uri.joinPath(folder?.uri ?? assert.fail('No folder is open.'), 'dot.png');
    await vscode.workspace.fs.writeFile(file, Buffer.from(DATA, 'base64'));
  });
  after(async () => {
    await services.session.chat.chooseMode('ask');
    await connection.close();
    await vscode.workspace.fs.delete(file);
  });
  beforeEach(async () => {
    await services.session.startNew();
    await services.session.chat.chooseMode('agent');
  });
  afterEach(() => services.session.chat.stop());

  const imagesIn = (request: ChatRequest | undefined) =>
    (JSON.stringify(request?.messages).match(/"data":"[^"]*"/g) ?? []).map((text) => text.slice(8, -1));

  /** Without making it the default of other chats. */
  function choose(parameters: Parameters): void {
    const { own } = services.session.parameters;
    services.session.parameters.decide({ ...own, ...parameters });
  }

  async function look(): Promise<void> {
    model.follow([{ calls: [['read_file', { path: 'dot.png' }]] }, { text: 'A dot.' }]);
    await services.session.chat.turns.send('What is in the picture?');
  }

  for (const format of FORMAT_NAMES) {
    it(`are sent to the model in ${format} format, kept beside the chat, and sent again in a later window`, async () => {
      choose({ format });
      await look();
      assert.deepEqual(imagesIn(model.requests[1]), [DATA]);
      const { id } = services.session.chat.conversation;
      assert.equal((await readdir(services.store.imagesPath(id))).length, 1);
      await services.session.startNew();
      await services.session.open(id);
      model.follow([{ text: 'Still a dot.' }]);
      await services.session.chat.turns.send('And now?');
      assert.deepEqual(imagesIn(model.requests[0]), [DATA]);
    });
  }

  it('are named for a model that reads none', async () => {
    choose({ model: 'familya-haiku-4.5' });
    await look();
    assert.deepEqual(imagesIn(model.requests[1]), []);
    assert.match(JSON.stringify(model.requests[1]?.messages), /an image \(image\/png\), which this model cannot read/);
  });

  it('of a tool of another extension arrive with its text and JSON, and what no model reads is named', async () => {
    await vscode.extensions.getExtension('acme.acme-models')?.activate();
    const [tool] = editorTools(['acme_screenshot']);
    const call = await tool?.prepare({ page: 'tides' });
    const outcome = await call?.run({
      place: { step: '', call: '' },
      signal: new AbortController().signal,
      report: () => undefined,
      ask: () => Promise.reject(new Error('It asked.')),
    });
    assert.equal(
      outcome?.text,
      'The page tides:\n[Image 1: image/png, 1 by 1 pixels]\n{\n\t"title": "Tides"\n}\n' +
        '[The tool also returned 3 bytes of audio/wav, which cannot be shown here.]\n',
    );
    assert.deepEqual(outcome.images, [{ mediaType: 'image/png', data: DATA }]);
  });
});
