import assert from 'node:assert/strict';
import type { Upstream } from '../../../../../src/gateway/core/upstream.ts';
import { ask, quickSandbox } from './ask.ts';

async function respond(sandbox: Upstream, fields: Record<string, unknown>, localKeyId = 'terminal', padding = '') {
  const body = JSON.stringify({ model: 'familyc-5.4', ...fields }) + padding;
  const { status, text } = await ask(sandbox, { endpoint: '/responses', body, localKeyId });
  return { status, body: JSON.parse(text) };
}

function textOf(body: { output: { content?: { text?: string }[] }[] }): string {
  return body.output.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');
}

describe('A conversation in the responses format', () => {
  it('continues from the answer that the request names', async () => {
    const sandbox = quickSandbox();
    const first = await respond(sandbox, { input: 'First question', instructions: 'Be brief.' });
    const second = await respond(sandbox, { input: 'Second', previous_response_id: first.body.id });
    assert.equal(second.status, 200);
    assert.match(textOf(second.body), /3: user 14, assistant \d+, user 6 characters/);
    assert.match(textOf(second.body), /System prompt \| 9 characters/);
    assert.equal(second.body.previous_response_id, first.body.id);
    const third = await respond(sandbox, { input: 'Third', previous_response_id: second.body.id });
    assert.match(textOf(third.body), /5: user/);
    assert.ok(third.body.usage.input_tokens > second.body.usage.input_tokens);
  });

  it('continues from a streamed answer as soon as it has ended', async () => {
    const sandbox = quickSandbox();
    const body = { model: 'familyc-5.4', input: 'First', stream: true };
    const { text } = await ask(sandbox, { endpoint: '/responses', body });
    const id = /"id":"(resp_\w+)"/.exec(text)?.[1];
    assert.equal((await respond(sandbox, { input: 'Second', previous_response_id: id })).status, 200);
  });

  it('continues with tool results', async () => {
    const sandbox = quickSandbox();
    const tools = [{ type: 'function', name: 'get_time', parameters: { type: 'object', properties: {} } }];
    const first = await respond(sandbox, { input: 'use get_time', tools });
    const call = first.body.output.find(({ type }: { type: string }) => type === 'function_call');
    const input = [{ type: 'function_call_output', call_id: call.call_id, output: 'Noon' }];
    const second = await respond(sandbox, { input, tools, previous_response_id: first.body.id });
    assert.match(textOf(second.body), /\*\*get_time\*\* answered[\s\S]*Noon/);
  });

  it('continues with the tools in its items', async () => {
    const sandbox = quickSandbox();
    const time = { type: 'function', name: 'get_time', parameters: { type: 'object', properties: {} } };
    const items = [
      { type: 'additional_tools', role: 'developer', tools: [time] },
      { role: 'user', content: 'Hello' },
    ];
    const first = await respond(sandbox, { input: items });
    const second = await respond(sandbox, { input: 'use get_time', previous_response_id: first.body.id });
    const called = second.body.output.map(({ name }: { name?: string }) => name);
    assert.ok(called.includes('get_time'), JSON.stringify(second.body.output));
  });

  it('counts toward the limit as long as another one continues it', async () => {
    const sandbox = quickSandbox();
    // Space after the JSON counts toward the limit, and the sandbox does not count its tokens.
    const padding = ' '.repeat(3_000_000);
    const lastOf: string[] = [];
    for (let nth = 0; nth < 22; nth += 1) {
      const first = await respond(sandbox, { input: 'echo: first' }, 'terminal', padding);
      const second = await respond(sandbox, { input: 'echo: on', previous_response_id: first.body.id });
      lastOf.push(second.body.id);
    }
    const goOn = async (id = '') => (await respond(sandbox, { input: 'echo: again', previous_response_id: id })).status;
    assert.deepEqual([await goOn(lastOf.at(-1)), await goOn(lastOf[0])], [200, 400]);
  });

  for (const [title, localKeyId, store] of [
    ['that belongs to another key', 'other', true],
    ['that was not to be stored', 'terminal', false],
  ] as const) {
    it(`cannot continue from an answer ${title}`, async () => {
      const sandbox = quickSandbox();
      const first = await respond(sandbox, { input: 'First', store });
      const second = await respond(sandbox, { input: 'Second', previous_response_id: first.body.id }, localKeyId);
      assert.equal(second.status, 400);
      assert.equal(second.body.error.code, 'previous_response_not_found');
      assert.equal(second.body.error.param, 'previous_response_id');
      assert.ok(second.body.error.message.includes(first.body.id));
    });
  }

  it('is dropped after many others', async () => {
    const sandbox = quickSandbox();
    const first = await respond(sandbox, { input: 'echo first' });
    for (let i = 0; i < 500; i += 1) await respond(sandbox, { input: 'echo more' });
    assert.equal((await respond(sandbox, { input: 'Second', previous_response_id: first.body.id })).status, 400);
  });
});
