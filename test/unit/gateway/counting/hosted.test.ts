import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { SingleUpstream } from '../../../../src/gateway/routing/singleUpstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { json, send } from '../support/client.ts';
import { closeAll, closeLater, type RunningPair, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { type Script, startService } from '../support/scriptedService.ts';

const PATH = '/api/v1/messages/count_tokens';
const BODY = JSON.stringify({ model: 'familyc-5.4', messages: [{ role: 'user', content: 'Hello there' }] });

describe('count_tokens of a hosted service', () => {
  let counter: TokenCounter;
  before(() => {
    counter = new TokenCounter((problem) => assert.fail(problem));
  });
  after(() => counter.close());
  afterEach(closeAll);

  async function startCounted(script: Script): Promise<RunningPair> {
    const service = await startService(script);
    closeLater(() => service.close());
    const hosted = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY });
    const upstream = new SingleUpstream(hosted, counter);
    closeLater(() => upstream.close());
    return { ...(await startGateway({ upstream })), service };
  }

  it('forwards the request and the answer, byte for byte', async () => {
    const answered = ' {"input_tokens" : 42, "more":[1.0]} ';
    const { port, service } = await startCounted((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(answered);
    });
    const body = ` ${BODY}  `;
    const answer = await send({ port, path: `${PATH}?beta=true`, body });
    assert.equal(answer.body.toString(), answered);
    assert.equal(answer.headers['request-id'], 'req_1');
    assert.equal(answer.headers['x-model-access-estimate'], undefined);
    assert.equal(service.requests[0]?.body.toString(), body);
    assert.equal(service.requests[0]?.path, `${PATH}?beta=true`);
  });

  it('forwards a compressed answer unchanged', async () => {
    const compressed = gzipSync('{"input_tokens":42}');
    const { port } = await startCounted((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(compressed);
    });
    const answer = await send({ port, path: PATH, body: BODY });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(answer.body, compressed);
  });

  for (const status of [400, 402, 413, 422]) {
    it(`forwards the error of an invalid request (${status})`, async () => {
      const refusal = { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } };
      const { port } = await startCounted((response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      });
      const answer = await send({ port, path: PATH, body: BODY });
      assert.equal(answer.status, status);
      assert.deepEqual(json(answer), refusal);
    });
  }

  for (const [name, status, body] of [
    ['has no such endpoint', 404, '{"error":"not found"}'],
    ['allows no such method', 405, ''],
    ['has not built it', 501, ''],
    ['says that it is too much', 429, '{}'],
    ['fails', 500, 'oops'],
    ['says 0', 200, '{"input_tokens":0}'],
    ['says a negative number', 200, '{"input_tokens":-1}'],
    ['says something else', 200, '<html></html>'],
  ] as const) {
    it(`counts locally if the service ${name}`, async () => {
      const { port } = await startCounted((response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
      const answer = await send({ port, path: PATH, body: BODY });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['x-model-access-estimate'], 'exact');
      // Two words, and the framing of the message and the conversation.
      assert.deepEqual(json(answer), { input_tokens: 9 });
    });
  }

  it('counts long bodies, too, which other endpoints stream through', async () => {
    const { port } = await startCounted((response) => response.writeHead(404).end());
    const content = 'one two three\n'.repeat(20_000);
    const body = JSON.stringify({ model: 'familyc-5.4', messages: [{ role: 'user', content }] });
    const answer = await send({ port, path: PATH, body });
    const { input_tokens: tokens } = json(answer) as { input_tokens: number };
    assert.ok(tokens > 70_000 && tokens < 90_000, String(tokens));
  });

  it('leaves all other requests unchanged, and streams the long ones through', async () => {
    const { port, service } = await startCounted(async (response) => response.writeHead(200).end('{"content":[]}'));
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300_000) }] });
    const answer = await send({ port, path: '/api/v1/messages', body });
    assert.equal(answer.body.toString(), '{"content":[]}');
    assert.equal(service.requests[0]?.body.toString(), body);
    const upstream = new SingleUpstream(createHosted({ baseAddress: service.baseAddress, serviceKey: 'k' }), counter);
    closeLater(() => upstream.close());
    assert.equal(upstream.takesBodyStream('/messages'), true);
    assert.equal(upstream.takesBodyStream('/messages/count_tokens'), false);
  });

  it('leaves errors of other requests unchanged', async () => {
    const { port } = await startCounted((response) => response.writeHead(404).end('{"no":1}'));
    const answer = await send({ port, path: '/api/v1/messages', body: BODY });
    assert.equal(answer.status, 404);
    assert.equal(answer.headers['x-model-access-estimate'], undefined);
  });
});
