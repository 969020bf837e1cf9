import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Usage } from '../../../../src/formats/usage.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LongBodyAsking, withUsageAsked } from '../../../../src/gateway/upstreams/includeUsage/askingUsage.ts';
import { UsageSink } from '../../../../src/gateway/upstreams/includeUsage/usageSink.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway, startPair } from '../support/gateway.ts';
import { type ReceivedRequest, startService } from '../support/scriptedService.ts';

const PATH = '/api/v1/chat/completions';
const ASKING = '{"model":"m","messages":[{"role":"user","content":"a \\" quote }"}],"stream":true}';
const OPTION = ',"stream_options":{"include_usage":true}';

const WORD =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}],"usage":null}\n\n';
const LAST = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n';
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}\n\n';
const DONE = 'data: [DONE]\n\n';

const isAsked = ({ body }: ReceivedRequest) => body.includes('include_usage');

function streamAnswer(response: ServerResponse, request: ReceivedRequest): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(WORD + LAST + (isAsked(request) ? USAGE : '') + DONE);
}

function refuseOption(response: ServerResponse, request: ReceivedRequest): void {
  if (!isAsked(request)) {
    streamAnswer(response, request);
    return;
  }
  const error = { message: 'Unrecognized request argument supplied: stream_options', type: 'invalid_request_error' };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

describe('requesting the usage of chat-completions streams', () => {
  afterEach(closeAll);

  it('adds the option, records the usage, and hides the chunk that the caller did not request', async () => {
    const { port, service, nextRecord } = await startPair(streamAnswer);
    const recorded = nextRecord();
    const { body } = await send({ port, path: PATH, body: ASKING });
    assert.equal(service.requests[0]?.body.toString(), `${ASKING.slice(0, -1)}${OPTION}}`);
    assert.equal(body.toString(), WORD + LAST + DONE);
    const { usage, usageIsEstimated } = await recorded;
    assert.deepEqual([usage, usageIsEstimated], [{ inputTokens: 7, outputTokens: 2 }, undefined]);
  });

  it('does not change requests that set the option or are not streamed', async () => {
    const { port, service } = await startPair(streamAnswer);
    const own = '{"model":"m","stream":true,"stream_options":{"include_usage":true}}';
    const whole = '{"model":"m","stream":false,"note":"\\"stream\\":true"}';
    assert.equal((await send({ port, path: PATH, body: own })).body.toString(), WORD + LAST + USAGE + DONE);
    await send({ port, path: PATH, body: whole });
    assert.deepEqual(
      service.requests.map(({ body }) => body.toString()),
      [own, whole],
    );
  });

  it('retries without the option if the upstream refuses it, and remembers that', async () => {
    const { port, service } = await startPair(refuseOption);
    for (const _ of [1, 2]) {
      const { status, body } = await send({ port, path: PATH, body: ASKING });
      assert.deepEqual([status, body.toString()], [200, WORD + LAST + DONE]);
    }
    assert.deepEqual(
      service.requests.map((request) => isAsked(request)),
      [true, false, false],
    );
  });

  it('passes on any other refusal unchanged, after one request', async () => {
    const refusal = '{"error":{"message":"max_tokens is too large"}}';
    const { port, service } = await startPair((response) => response.writeHead(400).end(refusal));
    const { status, body } = await send({ port, path: PATH, body: ASKING });
    assert.deepEqual([status, body.toString(), service.requests.length], [400, refusal, 1]);
  });

  it('continues after a refusal that only quotes the option because the caller wrote it elsewhere', async () => {
    const refusal = `{"error":{"message":"Invalid type for 'metadata.include_usage': expected a string."}}`;
    const { port, service } = await startPair((response, request) => {
      if (request.body.includes('metadata')) response.writeHead(400).end(refusal);
      else streamAnswer(response, request);
    });
    const quoting = ASKING.replace(/}$/, ',"metadata":{"include_usage":1}}');
    const { status, body } = await send({ port, path: PATH, body: quoting });
    assert.deepEqual([status, body.toString()], [400, refusal]);
    await send({ port, path: PATH, body: ASKING });
    assert.equal(service.requests.at(-1)?.body.toString(), `${ASKING.slice(0, -1)}${OPTION}}`);
  });

  it('is disabled by the settings of an upstream', async () => {
    const service = await startService(streamAnswer);
    closeLater(() => service.close());
    const settings = { id: 'a', baseUrl: service.baseAddress, formats: ['chat-completions'], models: ['*'] } as const;
    const hosted = { baseAddress: service.baseAddress, serviceKey: 'key_of-the-service' };
    for (const upstream of [
      createCompatible({ ...settings, askUsage: false }),
      createHosted({ ...hosted, askUsage: false }),
    ]) {
      closeLater(() => upstream.close());
      const { port } = await startGateway({ upstream });
      await send({ port, path: PATH, body: ASKING });
      assert.equal(service.requests.at(-1)?.body.toString(), ASKING);
    }
    assert.equal(service.requests.length, 2);
  });

  it('also works for a long body, which is streamed through once the upstream is known to accept the option', async () => {
    const { port, service, nextRecord } = await startPair(streamAnswer);
    await send({ port, path: PATH, body: ASKING });
    const filler = 'x'.repeat(300_000);
    const long = `{"model":"m","messages":[{"role":"user","content":"${filler}"}],"stream":true}`;
    const recorded = nextRecord();
    const { body } = await send({ port, path: PATH, body: long });
    assert.equal(service.requests[1]?.body.toString(), `${long.slice(0, -1)}${OPTION}}`);
    assert.equal(body.toString(), WORD + LAST + DONE);
    assert.deepEqual((await recorded).usage, { inputTokens: 7, outputTokens: 2 });
  });

  it('merges the option into those of the caller', () => {
    const body = Buffer.from('{"stream":true,"stream_options":{"include_usage":false,"x":1},"model":"m"}');
    assert.equal(
      Buffer.from(withUsageAsked(body) ?? []).toString(),
      '{"stream":true,"stream_options":{"include_usage":true,"x":1},"model":"m"}',
    );
  });

  it('treats a long body exactly like a short one', () => {
    const TURNS = '"messages":[{"role":"user","content":"TEXT"}]';
    for (const form of [
      `{"model":"m",${TURNS},"stream":true}`,
      `{"stream": true,"model":"m",${TURNS}}\n`,
      `{"model":"m",${TURNS},"stream":true,"metadata":{"a":["}"]}}`,
      `{"model":"m",${TURNS},"stream":false}`,
      `{"model":"m",${TURNS},"tools":[{"stream":true}]}`,
      `{"model":"m",${TURNS},"x":{"stream":true}}`,
      `{"model":"m",${TURNS},"x":"stream","y":true}`,
      `{"model":"m","stream":true,${TURNS},"stream":false}`,
      `{"model":"m","stream":false,${TURNS},"stream":true}`,
      `{"model":"m","a":1,${TURNS},"stream":true,"b":"TEXT"}`,
      `{"stream":true,${TURNS},"stream_options":{"x":1}}`,
      `{"stream":true,${TURNS},"stream_options":{"include_usage":true}}`,
      `{"model":"m",${TURNS},"stream":true`,
    ]) {
      const asked = (text: string) => {
        const body = withUsageAsked(Buffer.from(form.replaceAll('TEXT', text)));
        return body && Buffer.from(body).toString().replaceAll(text, 'TEXT');
      };
      assert.equal(asked('a \\" quote }'.repeat(5_000)), asked('a \\" quote }'), form);
    }
  });

  it('keeps the declared length of a long body, wherever it is split and with or without the option', async () => {
    for (const text of [ASKING, '{"model":"m","stream":false}', '{"stream":true,"stream_options":null}', 'no JSON']) {
      for (const size of [1, 3, 1000]) {
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs'))?.map((piece) => Buffer.from(piece)) ?? [];
        const asking = new LongBodyAsking(Object.assign(Readable.from(pieces), { length: text.length }));
        const chunks: Buffer[] = [];
        asking.on('data', (chunk: Buffer) => chunks.push(chunk));
        await once(asking, 'end');
        const sent = Buffer.concat(chunks).toString();
        assert.equal(sent.length, asking.length);
        assert.equal(asking.hasAsked, text === ASKING);
        if (text !== ASKING) assert.equal(sent.replaceAll(' ', ''), text.replaceAll(' ', ''));
      }
    }
  });

  it('removes the one chunk and no other byte, however the stream is split and its lines end', () => {
    for (const end of ['\n', '\r\n']) {
      const lines = (text: string) => text.replaceAll('\n', end);
      const stream = Buffer.from(lines(WORD + LAST + USAGE + DONE));
      for (let at = 0; at <= stream.length; at++) {
        let passed = '';
        let usage: Usage | undefined;
        const hiding = new UsageSink(
          {
            start: () => undefined,
            data: (chunk) => {
              passed += chunk.toString();
              return true;
            },
            end: () => undefined,
            fail: ({ message }) => assert.fail(message),
            used: (count) => {
              usage = count.usage;
            },
          },
          () => true,
        );
        hiding.start(200, { 'content-type': 'text/event-stream' });
        for (const chunk of [stream.subarray(0, at), stream.subarray(at)]) hiding.data(chunk);
        hiding.end();
        assert.equal(passed, lines(WORD + LAST + DONE), `split at ${at}`);
        assert.deepEqual(usage, { inputTokens: 7, outputTokens: 2 });
      }
    }
  });
});
