import assert from 'node:assert/strict';
import { readModelCatalog } from '../../../../../src/service/modelCatalog.ts';
import { ask, quickSandbox } from './ask.ts';

const NAMES = [
  'familya-haiku-4.5',
  'familya-opus-4.5',
  'familya-opus-4.6',
  'familya-sonnet-4.5',
  'familya-sonnet-4.6',
  'familyb-3-flash-preview',
  'familyb-3-pro-preview',
  'familyb-3.1-pro',
  'familyc-5.3-codex',
  'familyc-5.4',
  'familyd-code-fast-1',
];

const VERSION = { 'anthropic-version': '2023-06-01' };

async function models(headers: Record<string, string> = {}, subpath = '') {
  const { status, text } = await ask(quickSandbox(), { endpoint: '/models', headers, subpath });
  return { status, body: JSON.parse(text) };
}

describe('The sandbox lists models', () => {
  it('with the eleven names of the specification, in the chat-completions format', async () => {
    const { status, body } = await models();
    assert.equal(status, 200);
    assert.equal(body.object, 'list');
    assert.deepEqual(
      body.data.map((entry: { id: string }) => entry.id),
      NAMES,
    );
    assert.equal(body.data[0].object, 'model');
  });

  for (const header of ['anthropic-version', 'vendorb-version']) {
    it(`in the messages format for callers that send ${header}`, async () => {
      const { body } = await models({ [header]: '2023-06-01' });
      assert.equal(body.has_more, false);
      assert.equal(body.first_id, NAMES[0]);
      assert.equal(body.last_id, NAMES.at(-1));
      assert.equal(body.data[0].type, 'model');
      assert.equal(typeof body.data[0].display_name, 'string');
      assert.ok(!Number.isNaN(Date.parse(body.data[0].created_at)));
    });
  }

  for (const headers of [{}, VERSION]) {
    const shape = 'anthropic-version' in headers ? 'messages' : 'chat completions';
    it(`with data that the extension's own reader can parse, in the format of ${shape}`, async () => {
      const { models: read } = readModelCatalog((await models(headers)).body);
      assert.equal(read.length, NAMES.length);
      const opus = read.find(({ id }) => id === 'familya-opus-4.6');
      assert.equal(opus?.contextWindow, 1_000_000);
      assert.equal(opus?.maxOutputTokens, 128_000);
      assert.equal(opus?.inputPrice, 5);
      assert.equal(opus?.outputPrice, 25);
      const fast = read.find(({ id }) => id === 'familyd-code-fast-1');
      assert.equal(fast?.tools, true);
      assert.equal(fast?.images, false);
      assert.equal(fast?.reasoning, true);
    });
  }

  it('individually', async () => {
    const { status, body } = await models({}, '/familyc-5.4');
    assert.equal(status, 200);
    assert.equal(body.id, 'familyc-5.4');
    assert.deepEqual(body.capabilities, { tools: true, images: true, reasoning: true });
  });

  it('and answers 404 in the format of the caller for an unknown name', async () => {
    const common = await models({}, '/nobody-1');
    assert.equal(common.status, 404);
    assert.equal(common.body.error.code, 'model_not_found');
    assert.match(common.body.error.message, /nobody-1.*\/models/);
    const vendor = await models(VERSION, '/nobody-1');
    assert.equal(vendor.status, 404);
    assert.equal(vendor.body.error.type, 'not_found_error');
  });
});
