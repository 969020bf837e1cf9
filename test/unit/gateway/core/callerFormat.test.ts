import assert from 'node:assert/strict';
import { json, send } from '../support/client.ts';
import { closeAll, startGateway } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('errors of the gateway have the format of the caller', () => {
  afterEach(closeAll);

  const cases = [
    ['/api/v1/messages', {}, 'messages'],
    ['/api/v1/messages/count_tokens', {}, 'messages'],
    ['/api/v1/chat/completions', { 'anthropic-version': '2023-06-01' }, 'chat-completions'],
    ['/api/v1/responses', {}, 'responses'],
    ['/api/v1/models', {}, 'chat-completions'],
    ['/api/v1/models', { 'anthropic-version': '2023-06-01' }, 'messages'],
    ['/api/v1/balance', { 'x-api-key': 'key_wrong' }, 'messages'],
    ['/api/v1/nowhere', { 'vendorb-version': '2023-06-01' }, 'messages'],
  ] as const;
  for (const [path, headers, format] of cases) {
    it(`${format} for ${path} with ${JSON.stringify(headers)}`, async () => {
      const { port } = await startGateway({ upstream: new InstantUpstream() });
      const method = /models|balance/.test(path) ? 'GET' : 'POST';
      const answer = await send({ port, path, method, headers: { ...JSON_TYPE, ...headers } });
      const body = json(answer) as { type?: string; error: { message: string } };
      assert.equal(body.type, format === 'messages' ? 'error' : undefined);
      assert.match(body.error.message, /local key/);
      assert.match(String(answer.headers['request-id']), /^req_[\da-f]{32}$/);
      assert.equal(answer.headers['x-request-id'], answer.headers['request-id']);
    });
  }
});
