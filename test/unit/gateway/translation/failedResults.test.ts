import assert from 'node:assert/strict';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const FAILED = { type: 'tool_result', tool_use_id: 't', is_error: true };
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' } };

async function translated(upstream: 'chat-completions' | 'responses', content: unknown) {
  const running = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'ok' }] }) }]);
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { role: 'user', content: [{ ...FAILED, ...(content !== undefined && { content }) }] },
  ];
  const body = JSON.stringify({ model: 'a', max_tokens: 5, messages });
  const answer = await send({ port: running.port, path: '/api/v1/messages', body });
  assert.equal(answer.headers['x-model-access-dropped'], undefined);
  return running.servers[0]?.requests[0]?.text ?? '';
}

describe('a failed tool result on an upstream without a flag for it', () => {
  afterEach(closeAll);

  for (const upstream of ['chat-completions', 'responses'] as const) {
    it(`states the failure in its text, on ${upstream}`, async () => {
      assert.match(await translated(upstream, 'No such file.'), /"The tool failed:\\nNo such file\."/);
    });

    it(`states the failure before its image, on ${upstream}`, async () => {
      assert.match(await translated(upstream, [IMAGE]), /The tool failed:/);
    });

    it(`states the failure if it is otherwise empty, on ${upstream}`, async () => {
      assert.match(await translated(upstream, undefined), /The tool failed:/);
    });
  }
});
