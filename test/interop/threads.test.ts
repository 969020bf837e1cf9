/**
 * Conversations that the messages service may store itself. The gateway does not store them, and the official SDK can
 * handle that.
 */
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { Sandbox } from '../../src/gateway/upstreams/sandbox/sandbox.ts';
import { readConversation } from '../support/modelServer/askedConversation.ts';
import type { AskedRequest } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, startGateway } from '../unit/gateway/support/gateway.ts';
import { PAIRS, startRouter } from '../unit/gateway/support/routed.ts';

const CITIES = ['Tromsø', 'Zürich'];

function clientOf(port: number): Anthropic {
  return new Anthropic({ baseURL: `http://127.0.0.1:${port}/api`, apiKey: LOCAL_KEY, maxRetries: 0 });
}

/** Asks for the weather of one city after the other, and then answers with the last one. */
function forecaster(request: AskedRequest) {
  const { results } = readConversation(request);
  const city = CITIES[results.length];
  if (city === undefined) return { parts: [{ text: `It says: ${results.at(-1)?.text}` }] };
  return {
    parts: [{ call: `call_${city.length}_${results.length}`, name: 'weather', arguments: JSON.stringify({ city }) }],
  };
}

const weather = betaTool({
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const,
  run: ({ city }) => `It snows in ${city}.`,
});

describe('threads in the messages format', () => {
  afterEach(closeAll);

  for (const { upstream } of PAIRS.filter(({ caller }) => caller === 'messages')) {
    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'whole';
      it(`let the SDK's tool runner finish its task on a ${upstream} upstream, ${how}`, async () => {
        const { port, servers } = await startRouter([{ formats: [upstream], script: forecaster }]);
        const messages = [{ role: 'user' as const, content: 'Weather?' }];
        const settings = { model: 'm', max_tokens: 100, system: 'Be brief.', messages, tools: [weather], stream };
        const last = await clientOf(port).beta.messages.toolRunner(settings).runUntilDone();
        const [said] = 'content' in last ? last.content : [];
        assert.ok(said?.type === 'text');
        assert.equal(said.text, 'It says: It snows in Zürich.');
        const asked = servers[0]?.requests ?? [];
        assert.equal(asked.length, 3, 'a lost thread costs the upstream nothing');
        for (const { text } of asked) assert.match(text, /Be brief\..*Weather\?|Weather\?.*Be brief\./);
      });
    }

    it(`restart with the full conversation on a ${upstream} upstream`, async () => {
      const script = (request: AskedRequest) => ({ parts: [{ text: `${readConversation(request).prompt.length}` }] });
      const { port, servers } = await startRouter([{ formats: [upstream], script }]);
      const thread = clientOf(port).beta.messages.thread({ model: 'm', max_tokens: 100 });
      for (const content of ['One.', 'Two.', 'Three.']) await thread.send({ role: 'user', content });
      const last = servers[0]?.requests.at(-1);
      assert.ok(last !== undefined);
      assert.equal(readConversation(last).prompt, 'One.\nTwo.\nThree.');
    });
  }

  it('restart with the full conversation on the sandbox', async () => {
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const thread = clientOf(port).beta.messages.thread({ model: 'familya-sonnet-4.6', max_tokens: 100 });
    const first = await thread.send({ role: 'user', content: 'Hello' });
    const second = await thread.send({ role: 'user', content: 'And again' });
    assert.ok(second.usage.input_tokens > first.usage.input_tokens + first.usage.output_tokens);
  });
});
