import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { ANSWERED } from '../../../../src/gateway/core/gatewayAnswer.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamRequest } from '../../../../src/gateway/core/upstream.ts';
import { nextTurn } from '../../../../src/gateway/http/turns.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { PAIRS } from '../support/routed.ts';

/** Returns the number of turns of the event loop from a request until its effect. */
async function roundsUntil(start: (done: () => void) => void): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  await new Promise<void>((resolve) => {
    start(resolve);
    setImmediate(count);
  });
  isOver = true;
  return rounds;
}

function request(format: FormatName, ...texts: readonly string[]): UpstreamRequest {
  const said = texts.map((content) => ({ role: 'user', content }));
  const conversation = format === 'responses' ? { input: said } : { messages: said };
  return {
    endpoint: wireFormats[format].path as Endpoint,
    method: 'POST',
    subpath: '',
    query: '',
    headers: {},
    localKeyId: 'tests',
    callerFormat: format,
    body: Buffer.from(JSON.stringify({ model: 'familya-haiku-4.5', max_tokens: 9, ...conversation })),
  };
}

const IGNORE: AnswerSink = { start: () => undefined, data: () => true, end: () => undefined, fail: () => undefined };
const LONG = 'word '.repeat(100_000);
const MANY = Array.from({ length: 5_000 }, () => 'word '.repeat(20));

class Listener implements Upstream {
  readonly id = 'listener';
  readonly asked: UpstreamRequest[] = [];
  onAsked = (): void => undefined;

  send(asked: UpstreamRequest) {
    this.asked.push(asked);
    this.onAsked();
    return ANSWERED;
  }

  async close(): Promise<void> {
    // Nothing to close.
  }
}

describe('a long request that is translated', () => {
  for (const { caller, upstream: format } of PAIRS) {
    it(`with a long text yields to other work between its steps: ${caller} for ${format}`, async () => {
      const upstream = new Listener();
      const router = new Router([{ upstream, formats: [format] }]);
      const rounds = await roundsUntil((done) => {
        upstream.onAsked = done;
        router.send(request(caller, LONG), IGNORE);
      });
      // The text is found, and the rest is parsed, read, translated, serialized, and joined with the text.
      assert.ok(rounds >= 12, String(rounds));
      const body = Buffer.from(upstream.asked[0]?.body ?? []).toString();
      assert.ok(body.includes(LONG));
      await router.close();
    });

    it(`with many texts yields to other work between its steps: ${caller} for ${format}`, async () => {
      const upstream = new Listener();
      const router = new Router([{ upstream, formats: [format] }]);
      const rounds = await roundsUntil((done) => {
        upstream.onAsked = done;
        router.send(request(caller, ...MANY), IGNORE);
      });
      // The body is measured, decoded, parsed, read, translated, serialized, and encoded.
      assert.ok(rounds >= 14, String(rounds));
      const body = Buffer.from(upstream.asked[0]?.body ?? []).toString();
      assert.equal(body.split(MANY[0] ?? '').length, MANY.length + 1);
      await router.close();
    });
  }

  it('is not sent if the client disconnects meanwhile', async () => {
    const upstream = new Listener();
    const router = new Router([{ upstream, formats: ['messages'] }]);
    router.send(request('responses', LONG), IGNORE).cancel();
    const call = router.send(request('responses', LONG), IGNORE);
    // The call above is canceled immediately, this one after some of its steps.
    for (let step = 0; step < 5; step++) await nextTurn();
    call.cancel();
    for (let step = 0; step < 10; step++) await nextTurn();
    assert.equal(upstream.asked.length, 0);
    await router.close();
  });

  it('is sent immediately if it is short or needs no translation', () => {
    const upstream = new Listener();
    new Router([{ upstream, formats: ['messages'] }]).send(request('chat-completions', 'word'), IGNORE);
    new Router([{ upstream, formats: ['messages'] }]).send(request('messages', LONG), IGNORE);
    assert.equal(upstream.asked.length, 2);
  });
});

describe('a long request to the sandbox', () => {
  for (const format of FORMAT_NAMES) {
    it(`yields to other work while it is read: ${format}`, async () => {
      const sandbox = new Sandbox({ delayMs: 0 });
      let status = 0;
      const start = (known: number) => {
        status = known;
      };
      const rounds = await roundsUntil((done) => {
        sandbox.send(request(format, LONG), { ...IGNORE, start, end: done });
      });
      assert.equal(status, 200);
      assert.ok(rounds >= 8, String(rounds));
    });
  }
});
