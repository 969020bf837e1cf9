import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

const MB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** Some data is in socket buffers, in addition to what is held. */
const SLACK = 16 * MB;

/** Longer, when it is decompressed, than anything that is decompressed without a limit. */
const BOMB = gzipSync(Buffer.alloc(32 * MB, ': x\n\n'));

/** Sends data while it is read. */
class Endless {
  sent = 0;

  answer(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, chunk: Buffer): void {
    response.writeHead(status, headers);
    const fill = (): void => {
      while (!response.destroyed) {
        this.sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', fill);
    fill();
  }
}

function question(format: FormatName, stream: boolean): string {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
  return JSON.stringify(wireFormats[format].encodeRequest({ model: 'm', maxTokens: 9, system: [], messages, stream }));
}

describe('an upstream that never stops', () => {
  afterEach(closeAll);

  const start = async (headers: OutgoingHttpHeaders, chunk: Buffer, formats: readonly FormatName[], status = 200) => {
    const endless = new Endless();
    const service = await startService((response) => endless.answer(response, status, headers, chunk));
    closeLater(() => service.close());
    const settings = { id: 'faulty', baseUrl: service.baseAddress, formats, models: ['*'], apiKey: SERVICE_KEY };
    const upstream = new Router([{ ...settings, upstream: createCompatible(settings) }]);
    closeLater(() => upstream.close());
    const keys = [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0, models: ['m'] }];
    const running = await startGateway({ upstream, localKeys: keys });
    return { ...running, endless, service };
  };

  it('is disconnected if its model list is longer than 16 MB', async () => {
    const { port, endless, service } = await start({ 'content-type': JSON_TYPE }, Buffer.alloc(MB, ' '), FORMAT_NAMES);
    const answer = await send({ port, path: '/v1/models', method: 'GET', headers: { 'x-api-key': LOCAL_KEY } });
    assert.equal(answer.status, 200);
    await service.clientLeft;
    assert.ok(endless.sent < 16 * MB + SLACK, `${endless.sent} bytes`);
  });

  // An error 400 could reject the field that requests usage, after which the gateway would retry.
  for (const status of [400, 500]) {
    for (const format of FORMAT_NAMES) {
      it(`is disconnected if its error ${status} does not end, for a client of ${format}`, async () => {
        const headers = { 'content-type': JSON_TYPE };
        const { port, endless, service } = await start(headers, Buffer.alloc(MB, ' '), ['chat-completions'], status);
        const path = `/v1${wireFormats[format].path}`;
        const answer = await send({ port, path, body: question(format, true) });
        assert.equal(answer.status, status);
        assert.match(answer.body.toString(), /unreadable error/);
        await service.clientLeft;
        assert.ok(endless.sent < 16 * MB + SLACK, `${endless.sent} bytes`);
      });
    }
  }

  it('is disconnected if it keeps sending interim responses, which are otherwise allowed for a long time', async () => {
    let count = Number.POSITIVE_INFINITY;
    const service = await startService(async (response) => {
      for (let nth = 0; nth < count && !response.destroyed; nth += 1) {
        await new Promise<void>((sent) => response.writeEarlyHints({ link: '</style.css>; rel=preload' }, sent));
      }
      if (!response.destroyed) response.writeHead(200, { 'content-type': JSON_TYPE }).end('{"data":[]}');
    });
    closeLater(() => service.close());
    const settings = { id: 'faulty', baseUrl: service.baseAddress, formats: FORMAT_NAMES, models: ['*'] };
    const upstream = createCompatible(settings);
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    const endless = await send({ port, path: '/v1/messages', body: question('messages', true) });
    assert.equal(endless.status, 502);
    assert.match(endless.body.toString(), /more than 200 interim responses/);
    await service.clientLeft;
    count = 150;
    assert.equal((await send({ port, path: '/v1/messages', body: question('messages', false) })).status, 200);
  });

  it('is disconnected if its token count is longer than 16 MB, and the gateway counts itself', async () => {
    const { port, endless, service } = await start({ 'content-type': JSON_TYPE }, Buffer.alloc(MB, ' '), ['messages']);
    const answer = await send({ port, path: '/v1/messages/count_tokens', body: question('messages', false) });
    assert.equal(answer.status, 200);
    await service.clientLeft;
    assert.ok(endless.sent < 16 * MB + SLACK, `${endless.sent} bytes`);
  });

  it('is disconnected if a buffered answer is longer than any model writes', async () => {
    const event = { id: 'x', choices: [{ index: 0, delta: { content: 'a'.repeat(MB / 2) } }] };
    const chunk = Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    const { port, endless, service } = await start({ 'content-type': STREAM_TYPE }, chunk, ['chat-completions']);
    const answer = await send({ port, path: '/v1/messages', body: question('messages', false) });
    assert.match(answer.body.toString(), /too long/);
    await service.clientLeft;
    assert.ok(endless.sent < 64 * MB + SLACK, `${endless.sent} bytes`);
  });

  for (const upstream of FORMAT_NAMES) {
    const caller: FormatName = upstream === 'messages' ? 'responses' : 'messages';
    for (const [what, headers, chunk, most, expected] of [
      ['an answer of more than 16 MB', { 'content-type': JSON_TYPE }, Buffer.alloc(MB, ' '), 16 * MB, /too long/],
      ['an event without an end', { 'content-type': STREAM_TYPE }, Buffer.alloc(MB, 'data: x'), 16 * MB, /too long/],
      [
        'lines of one event',
        { 'content-type': STREAM_TYPE },
        Buffer.from('data: x\n'.repeat(10_000)),
        16 * MB,
        /too long/,
      ],
      [
        'a stream that is huge when it is decompressed',
        { 'content-type': STREAM_TYPE, 'content-encoding': 'gzip' },
        BOMB,
        MB,
        /too long when decompressed/,
      ],
    ] as const) {
      it(`is disconnected, and its caller gets an error, if ${upstream} is translated: ${what}`, async () => {
        const { port, endless, service } = await start(headers, chunk, [upstream]);
        const stream = headers['content-type'] === STREAM_TYPE;
        const path = `/v1${wireFormats[caller].path}`;
        const answer = await send({ port, path, body: question(caller, stream) });
        assert.match(answer.body.toString(), expected);
        await service.clientLeft;
        assert.ok(endless.sent < most + SLACK, `${endless.sent} bytes`);
      });
    }
  }

  it('is disconnected if its compressed answer becomes too large while it is searched for the key', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * MB, 'x'));
    const headers = { 'content-type': STREAM_TYPE, 'content-encoding': 'gzip' };
    const { port, service, records } = await start(headers, bomb, ['messages']);
    const answer = await send({ port, path: '/v1/messages', body: question('messages', true) });
    assert.equal(answer.complete, false);
    await service.clientLeft;
    assert.equal(records[0]?.end, 'upstreamFailed');
  });
});
