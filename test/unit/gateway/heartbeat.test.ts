import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { mock } from 'node:test';
import { FORMAT_NAMES } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import { endsAtEvent, tailAfter } from '../../../src/gateway/exchanges/heartbeat.ts';
import { open } from './support/client.ts';
import { closeAll, startPair } from './support/gateway.ts';

const SILENCE_MS = 10_000;

describe('a stream whose upstream is silent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(async () => {
    mock.timers.reset();
    await closeAll();
  });

  const start = async (path: string, ...pieces: string[]) => {
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (const piece of pieces) response.write(piece);
    });
    const request = open({ port, path: `/api/v1${path}` });
    request.end('{"model":"a","stream":true}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const next = async () => String((await once(response, 'data'))[0]);
    return { request, next };
  };

  for (const name of FORMAT_NAMES) {
    const { path } = wireFormats[name];

    it(`has a heartbeat that clients of ${name} pass over`, async () => {
      const { request, next } = await start(path, 'data: {"type":"x"}\n\n');
      await next();
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await beat, name === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n\n');
      request.destroy();
    });

    it(`has one before its first event, too, at ${path}`, async () => {
      const { request, next } = await start(path);
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await beat, ': ping\n\n');
      request.destroy();
    });
  }

  it('has none in the middle of an event', async () => {
    const { request, next } = await start('/responses', 'data: {"type":');
    await next();
    const more: string[] = [];
    next().then((text) => more.push(text));
    mock.timers.tick(3 * SILENCE_MS);
    await new Promise(setImmediate);
    assert.deepEqual(more, []);
    request.destroy();
  });
});

describe('the end of what was sent', () => {
  for (const [sent, isWhole] of [
    ['data: a\n\n', true],
    ['data: a\r\n\r\n', true],
    ['data: a\r\r', true],
    ['data: a\n', false],
    ['data: a\r\n', false],
    ['data: a', false],
    ['', true],
  ] as const) {
    it(`${isWhole ? 'is' : 'is not'} between events after ${JSON.stringify(sent)}, however it was cut`, () => {
      let tail: Uint8Array | string = '';
      for (const byte of Buffer.from(sent)) tail = tailAfter(tail, Buffer.of(byte));
      assert.equal(endsAtEvent(tail), isWhole);
      assert.equal(endsAtEvent(tailAfter('', sent)), isWhole);
    });
  }
});
