import assert from 'node:assert/strict';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { SingleUpstream } from '../../../../src/gateway/routing/singleUpstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { ModelServer } from '../../../support/modelServer/modelServer.ts';
import { get, json, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';

describe('a service that rejects the key of the gateway', () => {
  afterEach(closeAll);

  const start = async (status: number, kind: 'alone' | 'routed') => {
    const error = { message: 'Invalid API key.', type: 'authentication_error', code: 'invalid_api_key' };
    const server = await ModelServer.start(() => ({ status, body: { error } }));
    closeLater(() => server.close());
    const counter = new TokenCounter();
    closeLater(() => counter.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    const upstream =
      kind === 'alone'
        ? new SingleUpstream(hosted, counter)
        : new Router([{ upstream: hosted, hasBalance: true }], {}, counter);
    closeLater(() => upstream.close());
    return startGateway({ upstream });
  };

  for (const status of [401, 403]) {
    for (const [kind, path] of [
      ['alone', '/models'],
      ['alone', '/balance'],
      ['routed', '/balance'],
      ['alone', '/messages/count_tokens'],
      ['routed', '/messages/count_tokens'],
    ] as const) {
      it(`with ${status} is not reported as a wrong local key (${path}, ${kind})`, async () => {
        const { port } = await start(status, kind);
        const asked = { port, path: `/api/v1${path}` };
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
        const answer = path === '/messages/count_tokens' ? await send({ ...asked, body }) : await get(asked);
        assert.equal(answer.status, 502);
        const { error } = json(answer) as { error: { message: string } };
        assert.match(
          error.message,
          new RegExp(`"hosted" rejected the gateway's key \\(${status}\\): Invalid API key\\.`),
        );
      });
    }
  }
});
