import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { type Answer, AUTHORIZED, get, json, LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { answerAnyFormat, type Script, startService } from '../support/scriptedService.ts';

const OTHER_KEY = 'key_another-local-key-for-the-tests';
/** One key can have half of this, which is enough for one body of this length, but not for two. */
const HELD_MEGABYTES = 3;
const LONG = 320 * 1024;

const headersOf = (key: string) => ({ ...AUTHORIZED, authorization: `Bearer ${key}` });

function question(format: FormatName, length: number, stream = false): string {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'a'.repeat(length) }] }] as const;
  return JSON.stringify(wireFormats[format].encodeRequest({ model: 'm', maxTokens: 9, system: [], messages, stream }));
}

describe('the memory for requests in progress', () => {
  afterEach(closeAll);

  /** @param formats of the upstream. Without them, it has those of all clients. */
  async function start(script: Script, formats: readonly FormatName[] = FORMAT_NAMES, models?: readonly string[]) {
    const service = await startService(script);
    closeLater(() => service.close());
    const settings = { id: 'up', baseUrl: service.baseAddress, formats, models: ['*'] };
    const upstream = new Router([{ ...settings, upstream: createCompatible(settings) }]);
    closeLater(() => upstream.close());
    const terms = { createdAt: 0, ...(models && { models }) };
    const localKeys = [
      { id: 'one', name: 'one', secret: LOCAL_KEY, ...terms },
      { id: 'other', name: 'other', secret: OTHER_KEY, ...terms },
    ];
    return startGateway({ upstream, localKeys, heldMegabytes: HELD_MEGABYTES });
  }

  /** A service that answers on request. */
  function waitingService() {
    const waiting: ServerResponse[] = [];
    const asked: (() => void)[] = [];
    const script: Script = (response) => {
      waiting.push(response);
      for (const resolve of asked.splice(0)) resolve();
    };
    return {
      script,
      next: () => new Promise<void>((resolve) => asked.push(resolve)),
      answer: () => waiting.splice(0).map((response) => answerAnyFormat(response, undefined as never)),
    };
  }

  const isRefused = ({ status, headers, body }: Answer) => {
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], '2');
    assert.match(body.toString(), /all the memory/);
  };

  const WAYS: Readonly<Record<string, { formats?: readonly FormatName[]; models?: readonly string[] }>> = {
    'that passes': {},
    'that is read for a key with terms': { models: ['m'] },
    'that is translated': { formats: ['chat-completions'] },
  };
  for (const [what, { formats, models }] of Object.entries(WAYS)) {
    it(`is denied to a key that already holds half of it, until its request ends, for a body ${what}`, async () => {
      const { script, next, answer } = waitingService();
      const { port, records, nextRecord } = await start(script, formats, models);
      const path = '/v1/messages';
      const body = question('messages', LONG);
      const asked = next();
      const first = send({ port, path, body });
      await asked;
      const refused = await send({ port, path, body });
      isRefused(refused);
      assert.equal((json(refused) as { error: { type: string } }).error.type, 'overloaded_error');
      assert.equal(records[0]?.end, 'refused');

      const small = next();
      const short = send({ port, path, body: question('messages', 100) });
      await small;
      const others = next();
      const other = send({ port, path, body, headers: headersOf(OTHER_KEY) });
      await others;
      answer();
      for (const admitted of await Promise.all([first, short, other])) assert.equal(admitted.status, 200);
      if (records.length < 4) await nextRecord();

      const again = next();
      const last = send({ port, path, body });
      await again;
      answer();
      assert.equal((await last).status, 200);
    });
  }

  it('is counted for a body without a declared length', async () => {
    const { script, next, answer } = waitingService();
    const { port } = await start(script);
    const asked = next();
    const first = send({ port, path: '/v1/messages', body: question('messages', LONG) });
    await asked;
    const second = open({ port, path: '/v1/responses' }).on('error', () => undefined);
    const answered = once(second, 'response');
    const body = question('responses', LONG);
    for (let at = 0; at < body.length; at += 40_000) second.write(body.slice(at, at + 40_000));
    second.end();
    isRefused(await read((await answered)[0]));
    answer();
    assert.equal((await first).status, 200);
  });

  it('is counted for a compressed body after decompression', async () => {
    const { port } = await start(answerAnyFormat);
    const headers = { ...AUTHORIZED, 'content-encoding': 'gzip' };
    const body = gzipSync(question('messages', 3 * LONG));
    isRefused(await send({ port, path: '/v1/messages', body, headers }));
  });

  for (const stream of [false, true]) {
    it(`is counted for an answer that is translated${stream ? ' and kept' : ' whole'}`, async () => {
      const piece = 'x'.repeat(30_000);
      const script: Script = (response) => {
        const text = (words: string) => ({ choices: [{ index: 0, delta: { content: words } }] });
        const message = { role: 'assistant', content: piece.repeat(40) };
        const whole = { id: 'a', model: 'm', created: 1, choices: [{ index: 0, message, finish_reason: 'stop' }] };
        response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
        if (!stream) response.end(JSON.stringify(whole));
        else for (let turn = 0; turn < 40; turn++) response.write(`data: ${JSON.stringify(text(piece))}\n\n`);
      };
      const { port, records, nextRecord } = await start(script, ['chat-completions']);
      const answer = await send({ port, path: '/v1/responses', body: question('responses', 10, stream) });
      if (stream) assert.match(answer.body.toString(), /event: response\.failed\n.*all the memory/);
      else isRefused(answer);
      const record = records[0] ?? (await nextRecord());
      assert.equal(record.end, 'refused');
    });
  }

  it('is counted for a long answer that is translated as a stream', async () => {
    const script: Script = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let turn = 0; turn < 40; turn++) {
        const choices = [{ index: 0, delta: { content: `${turn}`.padEnd(30_000, 'x') } }];
        response.write(`data: ${JSON.stringify({ choices })}\n\n`);
      }
    };
    const { port, records, nextRecord } = await start(script, ['chat-completions']);
    const answer = await send({ port, path: '/v1/messages', body: question('messages', 10, true) });
    assert.match(answer.body.toString(), /event: error\n.*all the memory/);
    assert.equal((records[0] ?? (await nextRecord())).end, 'refused');
  });

  it('is not counted for short requests and answers, however many there are', async () => {
    const { port } = await start(answerAnyFormat, ['chat-completions']);
    const body = question('messages', 60_000);
    const answers = await Promise.all(Array.from({ length: 60 }, () => send({ port, path: '/v1/messages', body })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal((await get({ port, path: '/health' })).status, 200);
  });
});
