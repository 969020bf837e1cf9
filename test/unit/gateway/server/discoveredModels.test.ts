import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { issued, startLimited } from '../budgets/limited.ts';
import { LOCAL_KEY } from '../support/client.ts';
import { closeAll, startGateway, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'user-agent': 'claude-code/2.1.330' };

describe("Claude Code's discovery of models", () => {
  afterEach(closeAll);

  async function discover(port: number) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/models?limit=1000`, { headers });
    return (await answer.json()) as {
      readonly data: readonly { id: string; display_name: string; max_input_tokens?: number }[];
      readonly has_more: boolean;
      readonly first_id: string;
      readonly last_id: string;
    };
  }

  const ask = (port: number, body: Uint8Array, further: Readonly<Record<string, string>> = {}, path = '/messages') =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...further },
      body: new Uint8Array(body),
    });
  const question = (model: string, text = 'Hello') =>
    Buffer.from(JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: text }] }));

  it('lists every model with an ID that Claude Code shows, its own name, and its context window', async () => {
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const { data, has_more: hasMore, first_id: first, last_id: last } = await discover(port);
    const all = (
      await (
        await fetch(`http://127.0.0.1:${port}/api/v1/models`, { headers: { authorization: headers.authorization } })
      ).json()
    ).data;
    assert.deepEqual(
      data.map(({ id, display_name, max_input_tokens }) => [id, display_name, max_input_tokens]),
      all.map(({ id, context_window }: { id: string; context_window: number }) => [
        `claude-via-gateway-${id}`,
        id,
        context_window,
      ]),
    );
    assert.deepEqual([hasMore, first, last], [false, data[0]?.id, data.at(-1)?.id]);
  });

  it('keeps IDs that Claude Code shows without a prefix', async () => {
    const list = '{"data":[{"id":"claude-large"},{"id":"other"}]}';
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(list);
    });
    assert.deepEqual(
      (await discover(port)).data.map(({ id }) => id),
      ['claude-large', 'claude-via-gateway-other'],
    );
  });

  it('lists only the models that the local key may use', async () => {
    const { port } = await startLimited(issued({ models: ['model-*'] }), () => assert.fail());
    assert.deepEqual(
      (await discover(port)).data.map(({ id }) => id),
      ['claude-via-gateway-model-a'],
    );
  });

  for (const [kind, body, further] of [
    ['a short request', question('claude-via-gateway-other'), {}],
    ['a request that is long enough to be streamed', question('claude-via-gateway-other', 'x'.repeat(400_000)), {}],
    ['a compressed request', gzipSync(question('claude-via-gateway-other')), { 'content-encoding': 'gzip' }],
  ] as const) {
    it(`sends ${kind} to the model behind the prefix`, async () => {
      const { port, service, nextRecord } = await startPair();
      const recorded = nextRecord();
      assert.equal((await ask(port, body, further)).status, 200);
      const [sent] = service.requests;
      assert.ok(sent !== undefined);
      assert.equal(JSON.parse(sent.body.toString()).model, 'other');
      assert.equal((await recorded).model, 'other');
    });
  }

  it('works for upstreams of another format, and to count tokens', async () => {
    const { port, servers, records } = await startRouter([
      { models: ['other'], script: () => ({ parts: [{ text: 'Hello.' }] }) },
    ]);
    assert.equal((await ask(port, question('claude-via-gateway-other'))).status, 200);
    assert.equal(servers[0]?.requests[0]?.body.model, 'other');
    assert.equal((await ask(port, question('claude-via-gateway-other'), {}, '/messages/count_tokens')).status, 200);
    assert.deepEqual(
      records.map(({ model }) => model),
      ['other', 'other'],
    );
  });

  it('applies the list of a local key to the model behind the prefix', async () => {
    const { port } = await startLimited(issued({ models: ['model-*'] }), () => ({ parts: [{ text: 'Hello.' }] }));
    assert.equal((await ask(port, question('claude-via-gateway-model-a'))).status, 200);
    assert.equal((await ask(port, question('claude-via-gateway-unpriced'))).status, 403);
  });
});
