import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as zlib from 'node:zlib';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { LOCAL_KEY, open, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { type Script, startService } from '../support/scriptedService.ts';

interface Encoding {
  readonly pack: (bytes: Buffer) => Buffer;
  readonly createPacker: () => zlib.Gzip | zlib.Deflate | zlib.BrotliCompress | zlib.ZstdCompress;
  /** The flush mode that makes the compressor write everything it has. */
  readonly flush: number;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants;
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  gzip: { pack: zlib.gzipSync, createPacker: zlib.createGzip, flush: Z_SYNC_FLUSH },
  deflate: { pack: zlib.deflateSync, createPacker: zlib.createDeflate, flush: Z_SYNC_FLUSH },
  br: { pack: zlib.brotliCompressSync, createPacker: zlib.createBrotliCompress, flush: BROTLI_OPERATION_FLUSH },
  zstd: { pack: zlib.zstdCompressSync, createPacker: zlib.createZstdCompress, flush: ZSTD_e_flush },
};

/** Ends with the beginning of a key, but contains none. */
const NEARLY = SERVICE_KEY.slice(0, 13);

const TEXT = 'Grüße 🙂 '.repeat(50);
const HEADERS = {
  authorization: `Bearer ${LOCAL_KEY}`,
  'content-type': 'application/json',
  'accept-encoding': 'gzip, deflate, br, zstd',
};

/** Decompresses as much as is there. */
function decompressed(encoding: string, bytes: Buffer): string {
  const finishFlush = zlib.constants.Z_SYNC_FLUSH;
  if (bytes.length === 0) return '';
  switch (encoding) {
    case 'gzip':
      return zlib.gunzipSync(bytes, { finishFlush }).toString();
    case 'deflate':
      return zlib.inflateSync(bytes, { finishFlush }).toString();
    case 'br':
      return zlib.brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH }).toString();
    default:
      return zlib.zstdDecompressSync(bytes, { finishFlush: ZSTD_e_flush }).toString();
  }
}

function question(caller: FormatName, stream: boolean): string {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
  return JSON.stringify(wireFormats[caller].encodeRequest({ model: 'm', maxTokens: 10, system: [], messages, stream }));
}

/** Two events of a chat completion, and its end marker. */
const EVENTS = [
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: TEXT }, finish_reason: null }] })}\n\n`,
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } })}\n\n`,
  'data: [DONE]\n\n',
];
const WHOLE = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
});

for (const [name, { pack, createPacker, flush }] of Object.entries(ENCODINGS)) {
  describe(`an upstream's answer that is compressed with ${name}`, () => {
    afterEach(closeAll);

    const inPieces = (type: string, bytes: Buffer): Script => {
      return async (response) => {
        response.writeHead(200, { 'content-type': type, 'content-encoding': name });
        for (let at = 0; at < bytes.length; at += 7) {
          await new Promise((resolve) => response.write(bytes.subarray(at, at + 7), () => setImmediate(resolve)));
        }
        response.end();
      };
    };
    const translated = async (script: Script) => {
      const service = await startService(script);
      closeLater(() => service.close());
      const settings = {
        id: 'one',
        baseUrl: service.baseAddress,
        formats: ['chat-completions'],
        models: ['*'],
      } as const;
      const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
      closeLater(() => router.close());
      return { ...(await startGateway({ upstream: router })), service };
    };

    for (const [what, type, text] of [
      ['an answer', 'application/json', WHOLE],
      ['a stream', 'text/event-stream', EVENTS.join('')],
    ] as const) {
      it(`is passed through byte for byte: ${what}`, async () => {
        const compressed = pack(Buffer.from(text));
        const { port } = await startPair(inPieces(type, compressed));
        const answer = await send({ port, path: '/v1/chat/completions', headers: HEADERS });
        assert.deepEqual(answer.body, compressed);
        assert.equal(answer.headers['content-encoding'], name);
      });
    }

    for (const [what, type, text] of [
      ['an answer', 'application/json', JSON.stringify({ text: TEXT + NEARLY, more: NEARLY })],
      ['a stream', 'text/event-stream', `data: ${NEARLY}\n\n`.repeat(3)],
    ] as const) {
      it(`is passed through byte for byte if it nearly quotes the service key: ${what}`, async () => {
        const compressed = pack(Buffer.from(text));
        const { port } = await startPair(inPieces(type, compressed));
        const answer = await send({ port, path: '/v1/chat/completions', headers: HEADERS });
        assert.deepEqual(answer.body, compressed);
      });
    }

    it('never reveals the service key to the client', async () => {
      for (const type of ['application/json', 'text/event-stream']) {
        const next = Promise.withResolvers<void>();
        const { port, nextRecord } = await startPair(async (response) => {
          response.writeHead(200, { 'content-type': type, 'content-encoding': name });
          const packer = createPacker();
          packer.pipe(response);
          packer.write(`data: Before. ${SERVICE_KEY.slice(0, 9)}`);
          packer.flush(flush, () => setImmediate(() => packer.end(`${SERVICE_KEY.slice(9)} After.\n\n`)));
          response.on('close', () => next.resolve());
        });
        const ended = nextRecord();
        const request = open({ port, path: '/v1/chat/completions', headers: HEADERS });
        request.end('{"model":"m"}');
        const { received, cut } = await new Promise<{ received: Buffer; cut: boolean }>((resolve, reject) => {
          request.on('error', reject).on('response', (response: IncomingMessage) => {
            const chunks: Buffer[] = [];
            const end = () => resolve({ received: Buffer.concat(chunks), cut: !response.complete });
            response
              .on('data', (chunk: Buffer) => chunks.push(chunk))
              .on('error', () => undefined)
              .on('close', end);
          });
        });
        await next.promise;
        assert.ok(cut, 'the client sees that it is not whole');
        assert.ok(!decompressed(name, received).includes(SERVICE_KEY.slice(0, 9)), decompressed(name, received));
        assert.equal((await ended).end, 'upstreamFailed');
      }
    });

    for (const caller of FORMAT_NAMES.filter((format) => format !== 'chat-completions')) {
      it(`is decompressed for ${caller}, whether streamed or not`, async () => {
        for (const stream of [true, false]) {
          const compressed = pack(Buffer.from(stream ? EVENTS.join('') : WHOLE));
          const { port } = await translated(inPieces(stream ? 'text/event-stream' : 'application/json', compressed));
          const call = { port, path: `/v1${wireFormats[caller].path}`, headers: HEADERS };
          const answer = await send({ ...call, body: question(caller, stream) });
          assert.equal(answer.status, 200, answer.body.toString());
          assert.ok(answer.body.toString().includes(JSON.stringify(TEXT).slice(1, -1)));
          assert.equal(answer.headers['content-encoding'], undefined);
        }
      });
    }

    it('reaches the client event by event if it is translated', async () => {
      const next = Promise.withResolvers<void>();
      const { port } = await translated(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': name });
        const packer = createPacker();
        packer.pipe(response);
        packer.write(EVENTS[0]);
        packer.flush(flush);
        await next.promise;
        packer.end(EVENTS.slice(1).join(''));
      });
      const request = open({ port, path: '/v1/messages', headers: HEADERS });
      request.end(question('messages', true));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let received = '';
      for await (const chunk of response) {
        received += chunk;
        // The rest is only written once the first event has been read.
        if (received.includes('text_delta')) next.resolve();
      }
      assert.match(received, /event: message_stop\n/);
    });

    it('is an error if it is not compressed like that', async () => {
      for (const stream of [true, false]) {
        const type = stream ? 'text/event-stream' : 'application/json';
        const { port } = await translated(inPieces(type, Buffer.from('not compressed at all')));
        const answer = await send({ port, path: '/v1/messages', headers: HEADERS, body: question('messages', stream) });
        assert.match(answer.body.toString(), /could not be decompressed/);
      }
    });

    it('is an error if it is truncated', async () => {
      const compressed = pack(Buffer.from(EVENTS.join('')));
      const { port } = await translated(inPieces('text/event-stream', compressed.subarray(0, compressed.length / 2)));
      const answer = await send({ port, path: '/v1/messages', headers: HEADERS, body: question('messages', true) });
      assert.match(answer.body.toString(), /event: error\n|"type":"error"/);
      assert.doesNotMatch(answer.body.toString(), /message_stop/);
    });
  });
}
