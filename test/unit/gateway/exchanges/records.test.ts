import assert from 'node:assert/strict';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

describe('the record of an exchange', () => {
  afterEach(closeAll);

  it('states who requested what, from which upstream, and the result', async () => {
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
    const before = Date.now();
    const body = '{"model":"familya-haiku-4.5","messages":[{"role":"user","content":"a secret"}]}';
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'content-type': 'application/json',
      'user-agent': 'claude-cli/2.1.197 (external, sdk-cli)',
    };
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/messages?beta=true', headers, body });
    const { id, at, queueMs, firstByteMs, durationMs, usage, sessionId, turnId, ...rest } = await ended;
    assert.ok(usage !== undefined && usage.inputTokens > 0, 'of an answer that counts nothing it is an estimate');
    assert.match(id, /^req_[\da-f]{32}$/);
    assert.match(`${sessionId} ${turnId}`, /^[\da-f]{16} [\da-f]{16}$/);
    assert.ok(at >= before && at <= Date.now());
    assert.ok(queueMs !== undefined && firstByteMs !== undefined);
    assert.ok(queueMs > 0 && queueMs <= firstByteMs && firstByteMs <= durationMs);
    assert.deepEqual(rest, {
      localKeyId: 'tests',
      userAgent: 'claude-cli/2.1.197',
      endpoint: '/messages',
      callerFormat: 'messages',
      model: 'familya-haiku-4.5',
      upstream: 'hosted',
      upstreamFormat: 'messages',
      status: 200,
      bytesIn: Buffer.byteLength(body),
      bytesOut: 11,
      usageIsEstimated: true,
      usageBound: 'visible',
      end: 'completed',
    });
  });

  it('has the key and no upstream for a refused request', async () => {
    const running = await startPair();
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/nowhere' });
    const { endpoint, localKeyId, upstream, model, status, end } = await ended;
    assert.deepEqual(
      [endpoint, localKeyId, upstream, model, status, end],
      [undefined, 'tests', undefined, undefined, 404, 'refused'],
    );
  });

  it('is that of a completed exchange for an error answer of the service', async () => {
    const running = await startPair((response) => {
      response.writeHead(529).end('{}');
    });
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/responses' });
    const { status, end, bytesOut } = await ended;
    assert.deepEqual([status, end, bytesOut], [529, 'completed', 2]);
  });

  it('is delivered once per exchange', async () => {
    const { port, records } = await startPair();
    await Promise.all(Array.from({ length: 20 }, () => send({ port, path: '/v1/messages' })));
    assert.equal(new Set(records.map(({ id }) => id)).size, 20);
    assert.equal(records.length, 20);
  });
});
