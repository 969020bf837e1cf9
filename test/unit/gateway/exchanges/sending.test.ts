import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import type { Upstream } from '../../../../src/gateway/core/upstream.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import type { Books } from '../../../../src/gateway/exchanges/books.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { closedPort } from '../../../support/ports.ts';
import { isList, LIST } from '../budgets/limited.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { type Behind, startRouter } from '../support/routed.ts';

const HELLO: Answer = { parts: [{ text: 'Hello' }] };
const DOWN: Answer = { status: 503, body: { error: { message: 'Too much to do.' } } };
const CHAT = { path: '/api/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } };
const COMPACT = { path: '/api/v1/responses/compact', body: { input: 'Hi' } };

/** Books, and what they were told of requests before these were sent. */
function listening(): { readonly books: Books; readonly sent: ExchangeRecord[] } {
  const sent: ExchangeRecord[] = [];
  const books = new Bookkeeper();
  closeLater(() => books.close());
  return { books: Object.assign(books, { sent: ({ soFar }: { soFar: ExchangeRecord }) => sent.push(soFar) }), sent };
}

function ask(port: number, { path, body } = CHAT as { readonly path: string; readonly body: object }) {
  const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
  return send({ port, path, headers, body: JSON.stringify({ model: 'model-a', ...body }) });
}

describe('a request is noted before it is sent', () => {
  afterEach(closeAll);

  for (const [what, behind, asked, times] of [
    ['as it is', { formats: ['chat-completions'] }, CHAT, 1],
    ['translated', { formats: ['messages'] }, CHAT, 1],
    ['to be summarized', { formats: ['messages'] }, COMPACT, 1],
    ['to be compacted, and then to be summarized', { formats: ['responses'] }, COMPACT, 2],
  ] as const) {
    it(what, async () => {
      const { books, sent } = listening();
      let noted = 0;
      const script: Behind['script'] = (request) => {
        if (isList(request)) return LIST;
        noted = sent.length;
        return HELLO;
      };
      const { port } = await startRouter([{ ...behind, script }], {}, { books });
      assert.equal((await ask(port, asked)).status, 200);
      assert.deepEqual(noted, times);
      assert.deepEqual(
        sent.map(({ upstream }) => upstream),
        Array.from({ length: times }, () => 'server0'),
      );
    });
  }

  it('by the sandbox', async () => {
    const { books, sent } = listening();
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }), books });
    await ask(port, { ...CHAT, body: { ...CHAT.body, model: 'familya-sonnet-4.6' } });
    assert.equal(sent.length, 1);
  });

  it('again to the next upstream, with that one as the one that was asked', async () => {
    const { books, sent } = listening();
    const routes = { 'model-a': { use: ['server0/a', 'server1/b'] } };
    const { port } = await startRouter([{ script: () => DOWN }, { script: () => HELLO }], {}, { books }, routes);
    assert.equal((await ask(port)).status, 200);
    assert.deepEqual(
      sent.map(({ upstream, upstreamModel }) => [upstream, upstreamModel]),
      [
        ['server0', 'a'],
        ['server1', 'b'],
      ],
    );
  });

  it('only if there is a connection to send it on', async () => {
    const { books, sent } = listening();
    const baseAddress = `http://127.0.0.1:${await closedPort()}`;
    const upstream: Upstream = createHosted({ baseAddress, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream, books });
    assert.equal((await ask(port)).status, 502);
    assert.deepEqual(sent, []);
  });
});
