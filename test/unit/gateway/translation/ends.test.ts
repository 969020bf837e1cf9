import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { readEvents } from '../../formats/streams.ts';
import { open, read, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { PAIRS, RING, startRouter } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';

const LONG = 'word '.repeat(400);
/** Longer than a gateway waits for the usage after the last output. */
const BUSY_MS = 1_100;
/** The time in which the gateway looks twice whether an answer has gone silent. */
const SETTLING_MS = 1_000;

/** Nothing is read and no timer fires meanwhile. */
function beBusy(ms: number): void {
  for (const from = performance.now(); performance.now() < from + ms; );
}

function question(caller: FormatName, stream: boolean): string {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }];
  return JSON.stringify(wireFormats[caller].encodeRequest({ model: 'a', system: [], messages, stream }));
}

for (const { caller, upstream } of PAIRS) {
  describe(`the end of an answer, ${caller} on ${upstream}`, () => {
    afterEach(closeAll);

    const path = `/api/v1${wireFormats[caller].path}`;
    const start = (script: () => Answer) => startRouter([{ formats: [upstream], script }]);

    it('arrives immediately if the upstream has sent everything but keeps the connection open', async () => {
      const running = await start(() => ({ parts: [{ text: 'All.' }], ending: 'stall' }));
      const answer = await send({ port: running.port, path, body: question(caller, true) });
      assert.ok(answer.complete);
      assert.ok(readEvents(wireFormats[caller], answer.body.toString()).some(({ type }) => type === 'finish'));
      assert.equal(await (await running.servers[0]?.request())?.ended, 'left', 'the upstream is not left working');
    });

    it('also arrives without the upstream’s own end marker', async () => {
      const marks = { 'chat-completions': -1, messages: undefined, responses: undefined }[upstream];
      const running = await start(() => ({
        parts: [{ text: 'All.' }],
        ...(marks !== undefined && { afterEvents: marks }),
      }));
      const answer = await send({ port: running.port, path, body: question(caller, true) });
      const events = readEvents(wireFormats[caller], answer.body.toString());
      assert.ok(events.some(({ type }) => type === 'finish'));
      assert.ok(!events.some(({ type }) => type === 'error'));
    });

    it('states that the limit was reached', async () => {
      const running = await start(() => ({ parts: [{ text: 'All.' }], limit: 'length' }));
      const answer = await send({ port: running.port, path, body: question(caller, true) });
      const finish = readEvents(wireFormats[caller], answer.body.toString()).find(({ type }) => type === 'finish');
      assert.deepEqual(finish, { type: 'finish', reason: 'length' });
    });

    for (const stream of [true, false]) {
      it(`is also that of the upstream request if the client aborts ${stream ? 'a stream' : 'before the whole answer'}`, async () => {
        const running = await start(() =>
          stream ? { parts: [{ text: LONG }], afterEvents: 20, ending: 'stall' } : 'stay silent',
        );
        const request = open({ port: running.port, path });
        request.on('error', () => undefined).end(question(caller, stream));
        const asked = await running.servers[0]?.request();
        if (stream) {
          const [response] = (await once(request, 'response')) as [IncomingMessage];
          await once(response, 'data');
        }
        const record = running.nextRecord();
        request.destroy();
        assert.equal(await asked?.ended, 'left');
        assert.equal((await record).end, 'clientLeft');
      });
    }

    it('is an error if the gateway stops in the middle', async () => {
      const running = await start(() => ({ parts: [{ text: LONG }], afterEvents: 20, ending: 'stall' }));
      const request = open({ port: running.port, path });
      request.end(question(caller, true));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const answered = read(response);
      await once(response, 'data');
      await running.gateway.close(0);
      const answer = await answered;
      const events = readEvents(wireFormats[caller], answer.body.toString());
      assert.equal(events.at(-1)?.type, 'error');
    });
  });
}

describe('the usage after the end of an answer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(async () => {
    mock.timers.reset();
    await closeAll();
  });

  const USAGE = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } };
  const usage = `data: ${JSON.stringify(USAGE)}\n\n`;

  /** Asks a service whose answer stops before its usage. */
  const startBeforeUsage = async (caller: FormatName) => {
    const finish = { choices: [{ index: 0, delta: { content: 'All.' }, finish_reason: 'stop' }] };
    const asked = Promise.withResolvers<ServerResponse>();
    const service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(finish)}\n\n`);
      asked.resolve(response);
    });
    closeLater(() => service.close());
    const settings = { id: 'up', baseUrl: service.baseAddress, formats: ['chat-completions'], models: ['*'] } as const;
    const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
    closeLater(() => router.close());
    const running = await startGateway({ upstream: router });
    const recorded = running.nextRecord();
    const request = open({ port: running.port, path: `/api/v1${wireFormats[caller].path}` });
    request.end(question(caller, true));
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return { upstream: await asked.promise, answer, recorded };
  };

  it('counts if it has arrived, however long the process was busy meanwhile', async () => {
    const { upstream, answer, recorded } = await startBeforeUsage('messages');
    const answered = read(answer);
    await once(answer, 'data');
    upstream.write(usage);
    beBusy(BUSY_MS);
    await answered;
    assert.equal((await recorded).usage?.outputTokens, 3);
  });

  it('counts if it has arrived when an answer that is passed on has been silent', async () => {
    const { upstream, answer, recorded } = await startBeforeUsage('chat-completions');
    const answered = read(answer);
    await once(answer, 'data');
    // As a timer does, after which the event loop reads what has arrived.
    await new Promise((resolve) => setTimeout(resolve));
    mock.timers.tick(SETTLING_MS);
    upstream.write(usage);
    mock.timers.tick(SETTLING_MS);
    upstream.end('data: [DONE]\n\n');
    await answered;
    assert.equal((await recorded).usage?.outputTokens, 3);
  });
});

describe('the end of a long answer', () => {
  afterEach(closeAll);

  for (const { caller, upstream } of RING) {
    it(`is complete for a client that reads slowly, ${caller} on ${upstream}`, async () => {
      const text = 'x'.repeat(100_000);
      const script = () => ({ parts: [{ text }], pieceBytes: 100_000 });
      const { port } = await startRouter([{ formats: [upstream], script }]);
      const request = open({ port, path: `/api/v1${wireFormats[caller].path}` });
      request.end(question(caller, true));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        chunks.push(chunk);
        await new Promise(setImmediate);
      }
      const events = readEvents(wireFormats[caller], Buffer.concat(chunks).toString());
      assert.equal(events.map((event) => (event.type === 'textDelta' ? event.text : '')).join(''), text);
    });
  }
});
