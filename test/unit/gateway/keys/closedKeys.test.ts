import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, type RunningGateway, startPair } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

const KEY: IssuedKey = { id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 };
const OTHER: IssuedKey = { id: 'other', name: 'other', secret: 'key_other', createdAt: 0 };
const BODIES = {
  'chat-completions': { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true },
  messages: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], stream: true },
  responses: { model: 'm', input: 'hi', stream: true },
};
/** Number of events of a stream up to its first text. Before that, nothing of an answer is forwarded for a while. */
const EVENTS_TO_TEXT = { 'chat-completions': 2, messages: 4, responses: 5 };
const CLOSED = /no longer grants access to the gateway: it was revoked or rotated, or it has expired/;

describe('a running request of a local key that is closed', () => {
  afterEach(closeAll);

  /** Resolves with the answer when its first bytes have arrived. */
  const begin = async (port: number, path: string, body: unknown, secret = LOCAL_KEY): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const request = open({ port, path, headers });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    return response;
  };
  const stalledIn = (format: FormatName) => () => ({
    parts: [{ text: 'hello' }],
    afterEvents: EVENTS_TO_TEXT[format],
    ending: 'stall' as const,
  });
  const lastOf = ({ records }: RunningGateway) => records.at(-1);

  for (const [what, keys] of [
    ['revoked', [OTHER]],
    ['rotated', [{ ...KEY, secret: 'key_rotated' }, OTHER]],
    ['set to have expired', [{ ...KEY, expiresAt: 1 }, OTHER]],
  ] as const) {
    it(`ends immediately if the key is ${what}, with an error event and no normal end`, async () => {
      const running = await startRouter([{ formats: ['messages'], script: stalledIn('messages') }]);
      const response = await begin(running.port, '/v1/messages', BODIES.messages);
      const ended = running.nextRecord();
      running.gateway.setLocalKeys(keys);
      const { body, complete } = await read(response);
      assert.match(body.toString(), /event: error\ndata: .*authentication_error/);
      assert.match(body.toString(), CLOSED);
      assert.doesNotMatch(body.toString(), /message_stop/);
      assert.ok(complete);
      const { end, status, upstream, localKeyId } = await ended;
      assert.deepEqual([end, status, upstream, localKeyId], ['refused', 200, 'server0', 'tests']);
      assert.equal(await running.servers[0]?.requests[0]?.ended, 'left');
    });
  }

  for (const { caller, upstream } of [...PAIRS, ...FORMAT_NAMES.map((name) => ({ caller: name, upstream: name }))]) {
    it(`ends with the error event of ${caller} on ${upstream}`, async () => {
      const running = await startRouter([{ formats: [upstream], script: stalledIn(upstream) }]);
      const response = await begin(running.port, `/v1${wireFormats[caller].path}`, BODIES[caller]);
      running.gateway.setLocalKeys([OTHER]);
      const text = (await read(response)).body.toString();
      assert.match(text, CLOSED);
      assert.doesNotMatch(text, /\[DONE\]|message_stop|response\.completed/);
    });
  }

  it('ends when the key expires in the meantime', async () => {
    const running = await startRouter(
      [{ formats: ['messages'], script: stalledIn('messages') }],
      {},
      { localKeys: [KEY] },
    );
    const response = await begin(running.port, '/v1/messages', BODIES.messages);
    running.gateway.setLocalKeys([{ ...KEY, expiresAt: Date.now() + 10 }]);
    assert.match((await read(response)).body.toString(), CLOSED);
    assert.equal((await send({ port: running.port, path: '/v1/messages' })).status, 401);
  });

  it('is answered with 401 if no answer has started', async () => {
    const asked = Promise.withResolvers<void>();
    const running = await startPair(() => asked.resolve());
    const answer = send({ port: running.port, path: '/v1/chat/completions', body: '{"model":"m"}' });
    await asked.promise;
    running.gateway.setLocalKeys([]);
    const { status, headers, body } = await answer;
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer']);
    assert.match(body.toString(), CLOSED);
    await running.service.clientLeft;
    assert.equal(lastOf(running)?.end, 'refused');
  });

  it('never reaches the upstream if its body was still arriving', async () => {
    const running = await startPair();
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json', 'content-length': 4 };
    const request = open({ port: running.port, path: '/v1/chat/completions', headers });
    request.write('{ ');
    // The first request is in progress once a second one has been answered.
    await send({ port: running.port, path: '/v1/models', method: 'GET' });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    running.gateway.setLocalKeys([]);
    const [response] = await answered;
    assert.equal(response.statusCode, 401);
    request.end(' }');
    await read(response);
    assert.deepEqual(
      running.service.requests.map(({ method }) => method),
      ['GET'],
    );
  });

  it('is disconnected in the middle of a JSON body', async () => {
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"half":');
    });
    const response = await begin(running.port, '/v1/chat/completions', BODIES['chat-completions']);
    running.gateway.setLocalKeys([]);
    assert.equal((await read(response)).complete, false);
    assert.equal(lastOf(running)?.end, 'refused');
  });

  it('continues for the other keys', async () => {
    const localKeys = [KEY, OTHER];
    const held = Promise.withResolvers<() => void>();
    const running = await startPair(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        held.resolve(() => response.end('data: 2\n\n'));
      },
      { localKeys },
    );
    const response = await begin(running.port, '/v1/messages', BODIES.messages, OTHER.secret);
    running.gateway.setLocalKeys([OTHER]);
    (await held.promise)();
    assert.equal((await read(response)).body.toString(), 'data: 1\n\ndata: 2\n\n');
    assert.equal(lastOf(running)?.end, 'completed');
  });
});
