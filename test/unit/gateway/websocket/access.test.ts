import assert from 'node:assert/strict';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { issued, startLimited } from '../budgets/limited.ts';
import { LOCAL_KEY } from '../support/client.ts';
import { closeAll, startGateway } from '../support/gateway.ts';
import { errorOf, SocketClient, textOf } from '../support/socketClient.ts';

const start = (options = {}) => startGateway({ upstream: new Sandbox({ delayMs: 0 }), ...options });
const ASKED = { model: 'familyc-5.4', input: 'echo: Hi' };

describe('a WebSocket', () => {
  afterEach(closeAll);

  for (const [name, status, headers] of [
    ['another host', 403, { host: 'evil.example' }],
    ['a page of another origin', 403, { origin: 'https://evil.example' }],
    ['a page of this machine that is not allowed', 403, { origin: 'http://localhost:5173' }],
    ['a page without an origin', 403, { origin: 'null' }],
    ['a page, as the browser says', 403, { 'sec-fetch-site': 'cross-site' }],
    ['another key', 401, { authorization: `Bearer ${LOCAL_KEY}x` }],
    ['no key', 401, { authorization: '' }],
  ] as const) {
    it(`is not opened for ${name}, and leaves no record`, async () => {
      const running = await start();
      const { status: answered, body } = await SocketClient.refused(running.port, { headers });
      assert.equal(answered, status);
      assert.ok(errorOf(JSON.parse(body)).message.length > 0);
      assert.equal(running.records.length, 0);
    });
  }

  it('is opened for a page that is allowed, and under every spelling of the path', async () => {
    const running = await start({ allowedOrigins: ['http://localhost:5173'] });
    const headers = { origin: 'http://localhost:5173' };
    for (const path of ['/api/v1/responses', '/v1/responses', '/responses', '/api/v1//responses/?a=b']) {
      const client = await SocketClient.open(running.port, { headers }, path);
      assert.equal(textOf(await client.ask(ASKED)), 'Hi');
      client.socket.close();
    }
  });

  it('is not opened elsewhere', async () => {
    const running = await start();
    assert.equal((await SocketClient.refused(running.port, {}, '/api/v1/realtime')).status, 404);
    assert.equal((await SocketClient.refused(running.port, {}, '/api/v1/messages')).status, 405);
  });

  it('ends with the next request after its key was removed', async () => {
    const running = await start();
    const client = await SocketClient.open(running.port);
    // The client has the last event before the gateway is done with the answer.
    const recorded = running.nextRecord();
    await client.ask(ASKED);
    await recorded;
    running.gateway.setLocalKeys([]);
    const [event] = await client.ask(ASKED);
    assert.deepEqual([event?.type, event?.status], ['error', 401]);
    assert.equal((await client.closed).code, 1008);
  });

  it('is subject to the models and budgets of its key for each turn, with a row for each', async () => {
    const running = await startLimited(issued({ models: ['model-*'] }), () => ({ parts: [{ text: 'ok' }] }));
    const client = await SocketClient.open(running.port);
    const [refused] = await client.ask({ model: 'x', input: 'Hi' });
    assert.deepEqual([refused?.status, /cannot use the model "x"/.test(errorOf(refused).message)], [403, true]);
    assert.equal(textOf(await client.ask({ model: 'model-a', input: 'Hi' })), 'ok');
    client.socket.close();
    assert.deepEqual(
      running.records.map(({ model, end }) => [model, end]),
      [
        ['x', 'refused'],
        ['model-a', 'completed'],
      ],
    );
  });

  it('belongs to the session that its handshake names', async () => {
    const running = await start();
    const headers = { 'session-id': '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000', 'user-agent': 'codex_exec/0.171.0' };
    const client = await SocketClient.open(running.port, { headers });
    await client.ask(ASKED);
    await client.ask(ASKED);
    client.socket.close();
    const [first, second] = running.records.map(({ sessionId }) => sessionId);
    assert.ok(first !== undefined);
    assert.equal(first, second);
  });

  it('is closed when the gateway stops', async () => {
    const running = await start();
    const client = await SocketClient.open(running.port);
    await client.ask(ASKED);
    await running.gateway.close();
    assert.equal((await client.closed).code, 1001);
  });

  it('gets the rest of its answer when the gateway stops', async () => {
    const running = await startGateway({ upstream: new Sandbox({ delayMs: 1 }) });
    const client = await SocketClient.open(running.port);
    client.create({ model: 'familyc-5.4', input: 'write 50 words' });
    await client.next();
    const closed = running.gateway.close();
    assert.equal((await client.turn()).at(-1)?.type, 'response.completed');
    assert.equal((await client.closed).code, 1001);
    await closed;
  });
});
