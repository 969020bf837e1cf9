import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { UpstreamRequest } from '../../../../src/gateway/core/upstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { closeAll, closeLater, SERVICE_KEY } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

const CHUNK = 64 * 1024;
const COUNT = 12;
/** More than answers may take in one turn of the event loop. In milliseconds. */
const WORK_MS = 25;

function work(): void {
  const end = performance.now() + WORK_MS;
  while (performance.now() < end);
}

const REQUEST: UpstreamRequest = {
  ...{ endpoint: '/models', method: 'GET', subpath: '', query: '', headers: {} },
  ...{ localKeyId: 'tests', callerFormat: 'chat-completions' },
};

describe('an answer whose parts take long to process', () => {
  afterEach(closeAll);

  it('yields to other work after each of them, and arrives as it was sent', async () => {
    const sent = Buffer.concat(Array.from({ length: COUNT }, (_, nth) => Buffer.alloc(CHUNK, 97 + nth)));
    const service = await startService((response) => response.end(sent));
    closeLater(() => service.close());
    const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const arrived: Buffer[] = [];
    const between: number[] = [];
    let last = -2;
    await new Promise<void>((resolve, reject) => {
      upstream.send(REQUEST, {
        start: () => undefined,
        data: (bytes) => {
          if (Buffer.byteLength(bytes) >= CHUNK / 4) {
            between.push(rounds - last);
            work();
            last = rounds;
          } else last = rounds - 2;
          arrived.push(Buffer.from(bytes as Uint8Array));
          return true;
        },
        end: resolve,
        fail: ({ message }) => reject(new Error(message)),
      });
    });
    isOver = true;
    assert.ok(Buffer.concat(arrived).equals(sent));
    assert.ok(between.length > 1 && between.every((others) => others >= 2), between.join(' '));
  });

  it('has few pieces if it is compressed and arrives byte by byte', async () => {
    const sent = gzipSync(randomBytes(30_000));
    const service = await startService((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.flushHeaders();
      // All chunks are in few packets.
      response.socket?.cork();
      for (const byte of sent) response.write(Uint8Array.of(byte));
      response.socket?.uncork();
      response.end();
    });
    closeLater(() => service.close());
    const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const arrived: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      upstream.send(REQUEST, {
        start: () => undefined,
        data: (bytes) => arrived.push(Buffer.from(bytes as Uint8Array)) > 0,
        end: resolve,
        fail: ({ message }) => reject(new Error(message)),
      });
    });
    assert.ok(Buffer.concat(arrived).equals(sent));
    assert.ok(arrived.length < sent.length / 10, String(arrived.length));
  });
});
