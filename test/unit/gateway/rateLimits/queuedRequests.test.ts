import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { KeyLimits } from '../../../../src/gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { issued, pathOf, question } from '../budgets/limited.ts';
import { type Answer, open, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'model-a' }] });
const JSON_TYPE = { 'content-type': 'application/json' };

/** Starts a gateway whose service answers when the test says so. */
async function start(limits: KeyLimits, terms: Partial<IssuedKey> = {}) {
  const clock = new ManualClock();
  const held: ServerResponse[] = [];
  const script = (response: ServerResponse, request: { readonly path: string }) => {
    if (request.path.endsWith('/models')) response.writeHead(200, JSON_TYPE).end(MODELS);
    else held.push(response);
  };
  const pair = await startPair(script, { clock, localKeys: [issued({ ...terms, limits })] });
  const running = () => pair.gateway.running;
  return {
    ...pair,
    clock,
    held,
    ask: (format: FormatName = 'messages') => send({ port: pair.port, path: pathOf(format), body: question(format) }),
    /** The limits that requests are waiting for. */
    waiting: () => running().flatMap(({ waitsFor }) => (waitsFor === undefined ? [] : [waitsFor])),
    reach: (what: string, holds: () => boolean) => eventually(what, async () => holds()),
    answerNext: () => held.shift()?.writeHead(200, JSON_TYPE).end('{}'),
  };
}

const messageOf = (format: FormatName, { body }: Answer) =>
  wireFormats[format].decodeError(JSON.parse(body.toString()))?.message ?? '';

describe('a local key with limits', () => {
  afterEach(closeAll);

  it('queues the requests of all formats together, and sends them in the order of arrival', async () => {
    const gateway = await start({ parallel: 1 });
    const answers: Promise<Answer>[] = [];
    for (const [place, format] of [...FORMAT_NAMES, ...FORMAT_NAMES].entries()) {
      answers.push(gateway.ask(format));
      await gateway.reach('one more request', () => gateway.gateway.running.length === place + 1);
      await gateway.reach('all but one wait', () => gateway.waiting().length === place);
    }
    for (const _ of answers) {
      await gateway.reach('one request at the service', () => gateway.held.length === 1);
      gateway.answerNext();
    }
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      answers.map(() => 200),
    );
    const paths = gateway.service.requests.map(({ path }) => path.split('/v1')[1]);
    assert.deepEqual(
      paths,
      [...FORMAT_NAMES, ...FORMAT_NAMES].map((format) => wireFormats[format].path),
    );
  });

  it('never has more than its parallel requests at the service when many arrive at the same time', async () => {
    const gateway = await start({ parallel: 3 });
    const answers = Array.from({ length: 20 }, () => gateway.ask());
    await gateway.reach('17 wait', () => gateway.waiting().length === 17);
    assert.equal(gateway.held.length <= 3, true);
    for (let answered = 0; answered < 20; answered += 1) {
      await gateway.reach('a request at the service', () => gateway.held.length > 0);
      assert.ok(gateway.held.length <= 3);
      gateway.answerNext();
    }
    await Promise.all(answers);
  });

  for (const format of FORMAT_NAMES) {
    it(`refuses ${format} with 429 after 30 seconds, with retry-after and the limits in the format's headers`, async () => {
      const gateway = await start({ requestsPerMinute: 1 });
      const first = gateway.ask(format);
      await gateway.reach('a request at the service', () => gateway.held.length === 1);
      gateway.answerNext();
      await first;
      gateway.clock.advance(10_000);
      const second = gateway.ask(format);
      await gateway.reach('the second waits', () => gateway.waiting().length === 1);
      assert.deepEqual(gateway.waiting(), ['requestsPerMinute']);
      gateway.clock.advance(30_000);
      const refused = await second;
      assert.equal(refused.status, 429);
      assert.equal(refused.headers['retry-after'], '20');
      assert.match(messageOf(format, refused), /allows 1 request per minute.*Retry in 20 seconds/);
      const reset =
        format === 'messages' ? new Date(gateway.clock.now() + 20_000).toISOString().replace('.000', '') : '20s';
      const named = Object.entries(refused.headers).filter(([name]) => name.includes('ratelimit'));
      assert.deepEqual(
        Object.fromEntries(named),
        format === 'messages'
          ? {
              'anthropic-ratelimit-requests-limit': '1',
              'anthropic-ratelimit-requests-remaining': '0',
              'anthropic-ratelimit-requests-reset': reset,
            }
          : {
              'x-ratelimit-limit-requests': '1',
              'x-ratelimit-remaining-requests': '0',
              'x-ratelimit-reset-requests': reset,
            },
      );
      assert.equal(gateway.service.requests.length, 1);
    });
  }

  it('immediately refuses a request above the limit per minute, without using the limit', async () => {
    const gateway = await start({ tokensPerMinute: 50 });
    const body = question('messages', { text: 'Too long. '.repeat(100) });
    const refused = await send({ port: gateway.port, path: pathOf('messages'), body });
    assert.equal(refused.status, 429);
    assert.match(messageOf('messages', refused), /50 tokens per minute.*Send a shorter request/);
    assert.equal(refused.headers['anthropic-ratelimit-tokens-remaining'], '50');
  });

  it('counts the tokens that an answer actually used', async () => {
    const gateway = await start({ tokensPerMinute: 150 });
    const usage = { input_tokens: 100, output_tokens: 40 };
    const message = { type: 'message', id: 'msg_1', role: 'assistant', model: 'model-a', content: [], usage };
    const first = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    gateway.held
      .shift()
      ?.writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ ...message, stop_reason: 'end_turn' }));
    await first;
    await gateway.reach('the first has ended', () => gateway.records.length === 1);
    const second = gateway.ask();
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    gateway.clock.advance(30_000);
    assert.equal((await second).headers['anthropic-ratelimit-tokens-remaining'], '10');
  });

  it('does not count requests to count_tokens', async () => {
    const gateway = await start({ parallel: 1, requestsPerMinute: 1, tokensPerMinute: 1_000 });
    const counted = Array.from({ length: 5 }, () =>
      send({ port: gateway.port, path: '/api/v1/messages/count_tokens', body: question('messages') }),
    );
    await gateway.reach('all at the service', () => gateway.held.length === 5);
    for (const _ of counted) gateway.answerNext();
    await Promise.all(counted);
    const asked = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    gateway.answerNext();
    assert.equal((await asked).status, 200);
  });

  it('uses no limit for a request that its budget or its model list refuses', async () => {
    const terms: Partial<IssuedKey> = {
      models: ['model-a'],
      budgets: [{ amount: 400, unit: 'tokens', period: 'total' }],
    };
    const gateway = await start({ requestsPerMinute: 1 }, terms);
    const other = question('messages', { model: 'x' });
    assert.equal((await send({ port: gateway.port, path: pathOf('messages'), body: other })).status, 403);
    const large = question('messages', { maxTokens: 10_000 });
    assert.equal((await send({ port: gateway.port, path: pathOf('messages'), body: large })).status, 402);
    const asked = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    gateway.answerNext();
    assert.equal((await asked).status, 200);
  });

  it('uses no budget for a request that times out in the queue', async () => {
    const gateway = await start({ parallel: 1 }, { budgets: [{ amount: 400, unit: 'tokens', period: 'total' }] });
    const first = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    const second = gateway.ask();
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    gateway.clock.advance(30_000);
    const refused = await second;
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5']);
    gateway.answerNext();
    await first;
    await gateway.reach('both have ended', () => gateway.records.length === 2);
    assert.equal(gateway.records.find(({ status }) => status === 429)?.usage, undefined);
  });

  it('immediately removes a client that disconnects from the queue', async () => {
    const gateway = await start({ parallel: 1 });
    const first = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    const leaving = open({ port: gateway.port, path: pathOf('messages') });
    leaving.on('error', () => undefined).end(question('messages'));
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    const third = gateway.ask();
    await gateway.reach('the third waits', () => gateway.waiting().length === 2);
    const ended = gateway.nextRecord();
    leaving.destroy();
    const { end, queueMs } = await ended;
    assert.deepEqual([end, queueMs], ['clientLeft', undefined]);
    gateway.answerNext();
    await gateway.reach('the third at the service', () => gateway.held.length === 1);
    gateway.answerNext();
    await Promise.all([first, third]);
    assert.equal(gateway.service.requests.length, 2);
  });

  it('ends waiting requests when the key is revoked, and sends none of them', async () => {
    const gateway = await start({ parallel: 1 });
    const first = gateway.ask();
    await gateway.reach('a request at the service', () => gateway.held.length === 1);
    const second = gateway.ask();
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    gateway.gateway.setLocalKeys([]);
    assert.deepEqual(
      (await Promise.all([first, second])).map(({ status }) => status),
      [401, 401],
    );
    assert.equal(gateway.service.requests.length, 1);
  });

  it('sends waiting requests when its owner raises the limit', async () => {
    const gateway = await start({ parallel: 1 });
    const answers = [gateway.ask(), gateway.ask()];
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    gateway.gateway.setLocalKeys([issued({ limits: { parallel: 2 } })]);
    await gateway.reach('both at the service', () => gateway.held.length === 2);
    gateway.answerNext();
    gateway.answerNext();
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200],
    );
  });

  it('does not affect the requests of other keys', async () => {
    const gateway = await start({ parallel: 1 });
    const other = { id: 'other', name: 'other', secret: 'key_other-for-the-tests', createdAt: 0 };
    gateway.gateway.setLocalKeys([issued({ limits: { parallel: 1 } }), other]);
    const [first, second] = [gateway.ask(), gateway.ask()];
    await gateway.reach('the second waits', () => gateway.waiting().length === 1);
    const headers = { authorization: `Bearer ${other.secret}`, ...JSON_TYPE };
    const others = [1, 2].map(() =>
      send({ port: gateway.port, path: pathOf('messages'), headers, body: question('messages') }),
    );
    await gateway.reach('all of the other key at the service', () => gateway.held.length === 3);
    for (let place = 0; place < 3; place += 1) gateway.answerNext();
    await Promise.all([...others, first]);
    await gateway.reach('the second at the service', () => gateway.held.length === 1);
    gateway.answerNext();
    await second;
  });
});
