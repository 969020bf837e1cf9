import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { withPlainBody } from '../../../../src/gateway/core/compressedBody.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const QUESTION = JSON.stringify({ model: 'a', max_tokens: 5, messages: [{ role: 'user', content: 'Grüße' }] });
const PACKERS = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};

const headers = (encoding: string) => ({
  authorization: `Bearer ${LOCAL_KEY}`,
  'content-type': 'application/json',
  'content-encoding': encoding,
});

describe('a request with a compressed body', () => {
  afterEach(closeAll);

  for (const [encoding, pack] of Object.entries(PACKERS)) {
    it(`with ${encoding} is decompressed when it is translated or passed through`, async () => {
      const body = pack(QUESTION);
      const call = { path: '/v1/messages', headers: headers(encoding), body };
      const routed = await startRouter([{ script: () => ({ parts: [{ text: 'ok' }] }) }]);
      const recorded = routed.nextRecord();
      assert.equal((await send({ ...call, port: routed.port })).status, 200);
      assert.match(routed.servers[0]?.requests[0]?.text ?? '', /Grüße/);
      assert.equal((await recorded).model, 'a');

      const { port, service } = await startPair();
      assert.equal((await send({ ...call, port })).status, 200);
      assert.equal(service.requests[0]?.body.toString(), QUESTION);
      assert.equal(service.requests[0]?.headers['content-encoding'], undefined);
    });
  }

  it('is refused if it cannot be decompressed, is too long, or has an unknown encoding', async () => {
    const { port, service } = await startPair();
    const bomb = zlib.gzipSync(Buffer.alloc(33 * 1024 * 1024));
    for (const [encoding, body, status] of [
      ['gzip', Buffer.from(QUESTION), 400],
      ['gzip', bomb, 400],
      ['zzz', Buffer.from(QUESTION), 415],
    ] as const) {
      const answer = await send({ port, path: '/v1/messages', headers: headers(encoding), body });
      assert.equal(answer.status, status);
      assert.match(answer.body.toString(), /"type":"error"/);
    }
    assert.equal(service.requests.length, 0);
  });

  it('is decompressed in another thread, one at a time, because small bodies can become long', async () => {
    const request = {
      endpoint: '/messages',
      method: 'POST',
      subpath: '',
      query: '',
      headers: { 'content-encoding': 'gzip' },
      localKeyId: 'k',
      callerFormat: 'messages',
      body: zlib.gzipSync(Buffer.alloc(1024)),
    } as const;
    const ended: number[] = [];
    const all = [1, 2, 3].map((nth) => withPlainBody(request, 2048).then(() => ended.push(nth)));
    await new Promise(process.nextTick);
    assert.deepEqual(ended, []);
    await Promise.all(all);
    assert.deepEqual(ended, [1, 2, 3]);
  });

  it('is refused with 415 if the header is repeated', async () => {
    const { port, service, errors } = await startPair();
    const twice = ['content-type', 'application/json', 'x-api-key', LOCAL_KEY, 'host', 'localhost'];
    for (const encoding of ['gzip', 'identity']) {
      const raw = [...twice, 'content-encoding', encoding, 'content-encoding', encoding];
      const answer = await send({ port, path: '/v1/messages', headers: raw, body: zlib.gzipSync(QUESTION) });
      assert.equal(answer.status, 415);
    }
    assert.deepEqual([service.requests.length, errors], [0, []]);
  });
});
