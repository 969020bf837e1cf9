import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { get, json, LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';
import { askedOf, isList, issued, LIST, type Limited, pathOf, question, startLimited, withBudget } from './limited.ts';

const SAID = { parts: [{ text: 'A pound of flesh, no more and no less, nor cut thou less nor more.' }] };
const REAL = USAGE.prompt + USAGE.completion;
/** Cached input costs a tenth. */
const COST = USAGE.prompt - USAGE.cached + USAGE.cached / 10 + USAGE.completion;
/** The bytes of the request, plus 100 tokens of output. */
const NEEDED = { min: 105, max: 260 };

interface Figures {
  readonly remaining: number;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
}

async function balanceOf({ port }: { readonly port: number }): Promise<Figures> {
  const body = json(await get({ port, path: '/api/v1/balance' })) as Figures & { readonly tokens?: Figures };
  return body.tokens ?? body;
}

describe('the model list of a local key', () => {
  afterEach(closeAll);
  const key = issued({ models: ['model-*'] });

  for (const format of FORMAT_NAMES) {
    it(`refuses another model with an error in the ${format} format, and sends nothing`, async () => {
      const running = await startLimited(key, () => SAID);
      const ended = running.nextRecord();
      const { status, body } = await send({
        port: running.port,
        path: pathOf(format),
        body: question(format, { model: 'x' }),
      });
      assert.equal(status, 403);
      const error = wireFormats[format].decodeError(JSON.parse(body.toString()));
      assert.match(error?.message ?? '', /cannot use the model "x"/);
      const { end, model, upstream } = await ended;
      assert.deepEqual([end, model, upstream], ['refused', 'x', undefined]);
      assert.deepEqual(askedOf(running), []);
      const allowed = await send({ port: running.port, path: pathOf(format), body: question(format) });
      assert.equal(allowed.status, 200);
    });
  }

  it('filters the listed models, and refuses the others', async () => {
    const running = await startLimited(key, () => SAID);
    const list = json(await get({ port: running.port, path: '/api/v1/models' })) as { data: { id: string }[] };
    assert.deepEqual(
      list.data.map(({ id }) => id),
      ['model-a'],
    );
    const one = await get({ port: running.port, path: '/api/v1/models/model-a' });
    assert.equal(one.status, 200);
    const other = await get({ port: running.port, path: '/api/v1/models/unpriced' });
    assert.equal(other.status, 403);
    assert.match(other.body.toString(), /cannot use the model \\"unpriced\\"/);
  });

  it('filters the combined list of several upstreams in either format, and aliases by their target', async () => {
    const models = (...ids: string[]) => ({ status: 200, body: { object: 'list', data: ids.map((id) => ({ id })) } });
    const running = await startRouter(
      [{ script: () => models('model-a', 'x') }, { script: () => models('model-b', 'y') }],
      { fast: 'model-b', slow: 'y' },
      { localKeys: [key] },
    );
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'anthropic-version': '2023-06-01' };
    const asMessages = json(await get({ port: running.port, path: '/v1/models', headers })) as {
      data: { id: string }[];
      first_id: string;
      last_id: string;
    };
    assert.deepEqual(
      asMessages.data.map(({ id }) => id),
      ['fast', 'model-a', 'model-b'],
    );
    assert.deepEqual([asMessages.first_id, asMessages.last_id], ['fast', 'model-b']);
    const plain = json(await get({ port: running.port, path: '/v1/models' })) as { data: { id: string }[] };
    assert.deepEqual(
      plain.data.map(({ id }) => id),
      ['fast', 'model-a', 'model-b'],
    );
  });

  it('does not change the status of an unavailable list', async () => {
    const body = { error: { message: 'Busy.', type: 'server_error' } };
    const running = await startLimited(key, () => SAID);
    running.gateway.setUpstream(
      createHosted({ baseAddress: 'http://127.0.0.1:1/api/v1', serviceKey: 'key_of-nobody' }),
    );
    assert.equal((await get({ port: running.port, path: '/api/v1/models' })).status, 502);
    const busy = await startRouter([{ script: () => ({ status: 503, body }) }], {}, { localKeys: [key] });
    const { status } = await get({ port: busy.port, path: '/api/v1/models' });
    assert.equal(status, 200);
  });

  it('cannot be bypassed by a duplicate model or a model after the first 8 KB', async () => {
    const running = await startLimited(key, () => SAID);
    const far = `"input":"${'x'.repeat(10_000)}"`;
    const bodies = [
      ['{"model":"model-a","model":"x","messages":[]}', 400],
      [`{"model":"model-a",${far},"model":"x"}`, 400],
      [`{${far},"model":"x"}`, 403],
      ['{"model":"model-a","Model":"x"}', 400],
    ] as const;
    for (const [body, status] of bodies) {
      assert.equal((await send({ port: running.port, path: '/v1/responses', body })).status, status, body.slice(0, 40));
    }
    assert.deepEqual(askedOf(running), []);
    const late = `{${far},"model":"model-a"}`;
    assert.equal((await send({ port: running.port, path: '/v1/responses', body: late })).status, 200);
    assert.equal(askedOf(running)[0]?.text, late);
  });

  it('applies to token counting', async () => {
    const running = await startLimited(key, () => SAID);
    const path = '/v1/messages/count_tokens';
    assert.equal((await send({ port: running.port, path, body: question('messages', { model: 'x' }) })).status, 403);
  });

  it('applies to aliases and names of upstreams', async () => {
    const upstreams = [{ id: 'model-server', formats: ['messages'] as const, script: () => SAID }];
    const aliases = { fast: 'model-server/model-a', dear: 'model-server/x' };
    const running = await startRouter(upstreams, aliases, { localKeys: [key] });
    for (const [model, status] of [
      ['fast', 200],
      ['model-server/model-a', 200],
      ['dear', 403],
      ['model-server/x', 403],
    ] as const) {
      const body = question('messages', { model });
      assert.equal((await send({ port: running.port, path: '/v1/messages', body })).status, status, model);
    }
    assert.deepEqual(
      running.servers[0]?.requests.map(({ body }) => body.model),
      ['model-a', 'model-a'],
    );
  });
});

describe('a spending limit of the service key', () => {
  afterEach(closeAll);

  it('is not exceeded by forty parallel requests if only a cent is left', async () => {
    const books = new Bookkeeper();
    closeLater(() => books.close());
    books.setLimits({ daily: 0.01 });
    const running = await startLimited(issued(), () => 'stay silent', { books });
    const body = question('messages', { maxTokens: 1_000 });
    const refused = await new Promise<readonly string[]>((resolve, reject) => {
      const messages: string[] = [];
      for (let nth = 0; nth < 40; nth += 1) {
        send({ port: running.port, path: pathOf('messages'), body }).then((answer) => {
          if (answer.status === 402) messages.push(answer.body.toString());
          if (messages.length === 39) resolve(messages);
        }, reject);
      }
    });
    assert.match(refused[0] ?? '', /Requests in progress may use up the rest, up to \$0\.0101/);
    assert.equal(askedOf(running).length, 1);
  });
});

describe('a local key with a budget', () => {
  afterEach(closeAll);

  for (const format of FORMAT_NAMES) {
    it(`gets a 402 error in the ${format} format before anything is sent`, async () => {
      const running = await startLimited(withBudget(NEEDED.min - 1), () => SAID);
      const ended = running.nextRecord();
      const { status, body } = await send({ port: running.port, path: pathOf(format), body: question(format) });
      assert.equal(status, 402);
      const error = wireFormats[format].decodeError(JSON.parse(body.toString()));
      assert.match(error?.message ?? '', /^The local key "aider" has 104 tokens left of its budget of 104 tokens\./);
      const { end, model, usage } = await ended;
      assert.deepEqual([end, model, usage], ['budget', 'model-a', undefined]);
      assert.deepEqual(askedOf(running), []);
      assert.deepEqual(await balanceOf(running), { remaining: 104, granted: 104, used: 0, reserved: 0 });
    });

    for (const stream of [false, true]) {
      it(`is charged the actual usage of ${stream ? 'a stream' : 'an answer'} of ${format}`, async () => {
        const running = await startLimited(withBudget(1000), () => SAID);
        const sent = await send({ port: running.port, path: pathOf(format), body: question(format, { stream }) });
        assert.equal(sent.status, 200);
        assert.deepEqual(await balanceOf(running), { remaining: 1000 - REAL, granted: 1000, used: REAL, reserved: 0 });
        assert.equal(running.records[0]?.usageIsEstimated, undefined);
      });
    }
  }

  it('is charged catalog prices in dollars', async () => {
    const running = await startLimited(withBudget(0.01, 'usd'), () => SAID);
    await send({ port: running.port, path: pathOf('messages'), body: question('messages') });
    const used = ((USAGE.prompt - USAGE.cached) * 1 + USAGE.cached * 0.1 + USAGE.completion * 10) / 1e6;
    assert.equal((await balanceOf(running)).used, used);
  });

  it('is refused a model without a price in dollars, but not in tokens', async () => {
    const body = question('messages', { model: 'unpriced' });
    const inDollars = await startLimited(withBudget(5, 'usd'), () => SAID);
    const refused = await send({ port: inDollars.port, path: '/v1/messages', body });
    assert.equal(refused.status, 402);
    assert.match(refused.body.toString(), /The price of the model \\"unpriced\\" is not known/);
    const inTokens = await startLimited(withBudget(500), () => SAID);
    assert.equal((await send({ port: inTokens.port, path: '/v1/messages', body })).status, 200);
  });

  it('is not charged for a refused request, and fully charged for one that may have been answered', async () => {
    const running = await startLimited(withBudget(NEEDED.max), () => ({ status: 429, body: { error: {} } }));
    const ask = () => send({ port: running.port, path: pathOf('messages'), body: question('messages') });
    assert.equal((await ask()).status, 429);
    assert.equal((await balanceOf(running)).used, 0);
    running.server.script = (request) => (isList(request) ? LIST : 'hang up');
    assert.equal((await ask()).status, 502);
    const { used, reserved } = await balanceOf(running);
    assert.ok(used >= NEEDED.min && reserved === 0, `${used} ${reserved}`);
  });

  it('is not charged for token counts and model lists', async () => {
    const running = await startLimited(withBudget(1), () => ({ status: 200, body: { input_tokens: 5 } }));
    const count = await send({ port: running.port, path: '/v1/messages/count_tokens', body: question('messages') });
    assert.equal(count.status, 200);
    assert.equal((await get({ port: running.port, path: '/v1/models' })).status, 200);
    assert.equal((await balanceOf(running)).used, 0);
  });

  it('is not overspent by fifty parallel requests', async () => {
    const running = await startLimited(withBudget(1000), () => SAID);
    const ask = () => send({ port: running.port, path: pathOf('messages'), body: question('messages') });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.equal(answers.filter(({ status }) => status === 402).length, 50 - passed);
    // The reservations of three requests fit. Those that end make room for a few others.
    assert.ok(passed >= Math.floor(1000 / Math.max(REAL, NEEDED.max)), String(passed));
    assert.equal(askedOf(running).length, passed);
    const { used, reserved } = await balanceOf(running);
    assert.deepEqual([used, reserved], [passed * REAL, 0]);
    assert.ok(used <= 1000 + REAL, String(used));
  });

  it('covers only some of fifty parallel requests while none has ended', async () => {
    const books = new Bookkeeper({ maxWaitMs: 100 });
    const running = await startLimited(withBudget(NEEDED.max * 3), () => 'stay silent', { books });
    const ask = () => send({ port: running.port, path: pathOf('messages'), body: question('messages') });
    const refused = Array.from({ length: 50 }, ask);
    let count = 0;
    for (const answer of refused) {
      void answer.then(({ status }) => {
        if (status === 402) count += 1;
      });
    }
    await running.server.request(3);
    while (count < 47) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(askedOf(running).length, 3);
    const { reserved } = await balanceOf(running);
    assert.ok(reserved >= 3 * NEEDED.min && reserved <= 3 * NEEDED.max, String(reserved));
  });

  for (const { caller, upstream } of PAIRS) {
    it(`is charged for requests translated from ${caller} to ${upstream}`, async () => {
      const behind = [{ formats: [upstream], script: () => SAID }];
      const running = await startRouter(behind, {}, { localKeys: [withBudget(1000)] });
      await send({ port: running.port, path: pathOf(caller), body: question(caller, { stream: true }) });
      assert.equal((await balanceOf(running)).used, REAL);
    });
  }

  describe('with failover to another upstream', () => {
    const listAt = (factor: number) => ({
      status: 200,
      body: { data: [{ id: 'model-a', pricing: { input: factor, output: factor } }] },
    });
    const start = (dollars: number, firstAnswers: boolean) =>
      startRouter(
        [
          {
            formats: ['messages'],
            script: (request) => (isList(request) ? listAt(1) : firstAnswers ? SAID : { status: 503, body: {} }),
          },
          { formats: ['messages'], script: (request) => (isList(request) ? listAt(100) : SAID) },
        ],
        {},
        { localKeys: [withBudget(dollars, 'usd')] },
      );
    const body = question('messages');

    it('must cover the most expensive upstream', async () => {
      const running = await start((NEEDED.min * 100 - 1) / 1e6, true);
      assert.equal((await send({ port: running.port, path: '/v1/messages', body })).status, 402);
    });

    for (const [firstAnswers, factor] of [
      [true, 1],
      [false, 100],
    ] as const) {
      it(`is charged the prices of the ${firstAnswers ? 'first' : 'second'} upstream if that one answers`, async () => {
        const running = await start(1, firstAnswers);
        assert.equal((await send({ port: running.port, path: '/v1/messages', body })).status, 200);
        assert.equal((await balanceOf(running)).used, (COST * factor) / 1e6);
      });
    }

    it('gets an unknown model error instead of a missing price error', async () => {
      const behind = [{ formats: ['messages'] as const, models: ['b'], script: () => SAID }];
      const running = await startRouter(behind, {}, { localKeys: [withBudget(1, 'usd')] });
      assert.equal((await send({ port: running.port, path: '/v1/messages', body })).status, 404);
    });
  });
});

describe('a budget without usage from the upstream', () => {
  afterEach(closeAll);

  const usedBy = async (running: Limited) => (await balanceOf(running)).used;
  /** The output that was allowed, plus the input as reported or at most as many tokens as bytes. */
  const isAllThatWasSetAside = (used: number) => assert.ok(used >= NEEDED.min && used <= NEEDED.max, String(used));

  for (const format of FORMAT_NAMES) {
    for (const ending of ['end', 'cut'] as const) {
      it(`is charged the full reservation for a stream of ${format} without usage that ends with ${ending}`, async () => {
        const afterEvents = format === 'chat-completions' && ending === 'end' ? 12 : 9;
        const running = await startLimited(withBudget(1000), () => ({ ...SAID, afterEvents, ending }));
        const ended = running.nextRecord();
        const body = question(format, { stream: true });
        const answer = await send({ port: running.port, path: pathOf(format), body });
        assert.match(answer.body.toString(), /A pound/);
        const { usage, usageIsEstimated } = await ended;
        assert.equal(usageIsEstimated, true);
        assert.equal(usage?.outputTokens, 100);
        isAllThatWasSetAside(await usedBy(running));
      });
    }
  }

  it('is charged the full reservation for a stream that its client aborts', async () => {
    const running = await startLimited(withBudget(1000), () => ({ ...SAID, afterEvents: 9, ending: 'stall' }));
    const ended = running.nextRecord();
    const request = open({ port: running.port, path: pathOf('messages') });
    request.end(question('messages', { stream: true }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
    const { end, usage } = await ended;
    assert.equal(end, 'clientLeft');
    assert.equal(usage?.outputTokens, 100);
    assert.equal(await usedBy(running), (usage?.inputTokens ?? 0) + 100);
  });

  it('is charged the full reservation for an answer that its client does not wait for', async () => {
    const running = await startLimited(withBudget(1000), () => 'stay silent');
    const ended = running.nextRecord();
    const request = open({ port: running.port, path: pathOf('messages') }).on('error', () => undefined);
    request.end(question('messages'));
    await running.server.request(1);
    request.destroy();
    const { usageIsEstimated, end } = await ended;
    assert.deepEqual([end, usageIsEstimated], ['clientLeft', true]);
    isAllThatWasSetAside(await usedBy(running));
  });

  it('requests uncompressed answers', async () => {
    const running = await startLimited(withBudget(1000), () => SAID);
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    };
    await send({ port: running.port, path: pathOf('messages'), headers, body: question('messages') });
    assert.equal(askedOf(running)[0]?.headers['accept-encoding'], 'identity');
  });

  it('is charged the usage that a compressed answer reports', async () => {
    const running = await startLimited(withBudget(1000), () => ({ ...SAID, gzip: true }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('messages'), body: question('messages') });
    await ended;
    assert.equal(await usedBy(running), REAL);
  });
});

const TWO_MODELS = {
  status: 200,
  body: {
    data: [
      { id: 'model-a', pricing: { input: 1, output: 10 } },
      { id: 'dear', pricing: { input: 100, output: 500 } },
    ],
  },
};

describe('a request that tries to bypass the budget of its key', () => {
  afterEach(closeAll);

  const answerTo = async (format: FormatName, more: object, key = withBudget(1, 'usd')) => {
    const running = await startLimited(key, () => SAID);
    const body = JSON.stringify({ ...JSON.parse(question(format)), ...more });
    const { status } = await send({ port: running.port, path: pathOf(format), body });
    return { status, asked: askedOf(running).length };
  };

  it('cannot run in the background', async () => {
    assert.deepEqual(await answerTo('responses', { background: true }), { status: 400, asked: 0 });
  });

  it('cannot request a tier without a listed price, unless its budget is in tokens', async () => {
    for (const more of [
      { service_tier: 'priority' },
      { service_tier: 'Priority' },
      { service_tier: 'next' },
      { speed: 'fast' },
      { inference_geo: 'us' },
    ]) {
      assert.deepEqual(await answerTo('messages', more), { status: 400, asked: 0 });
    }
    assert.deepEqual(await answerTo('messages', { service_tier: 'auto' }), { status: 200, asked: 1 });
    const inTokens = withBudget(1_000_000);
    assert.deepEqual(await answerTo('messages', { service_tier: 'priority' }, inTokens), { status: 200, asked: 1 });
  });

  it('cannot use a tool that calls another model at an unknown price', async () => {
    const more = { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'model-b' }] };
    assert.deepEqual(await answerTo('messages', more), { status: 400, asked: 0 });
    assert.deepEqual(await answerTo('messages', more, issued({ models: ['model-a'] })), { status: 403, asked: 0 });
    assert.deepEqual(await answerTo('messages', more, issued({ models: ['model-*'] })), { status: 200, asked: 1 });
  });

  it('is charged the most expensive model that may have answered if the answer names none', async () => {
    const running = await startLimited(withBudget(1, 'usd'), () => 'hang up');
    running.server.script = (request) => (isList(request) ? TWO_MODELS : 'hang up');
    const body = JSON.stringify({ ...JSON.parse(question('chat-completions')), models: ['dear'] });
    await send({ port: running.port, path: pathOf('chat-completions'), body });
    const { used } = (await balanceOf(running)) as Figures;
    assert.ok(used >= (100 * 500) / 1e6, String(used));
    const choices = [{ index: 0, message: { role: 'assistant', content: 'A pound.' }, finish_reason: 'stop' }];
    const unnamed = { status: 200, body: { choices, usage: { prompt_tokens: 20, completion_tokens: 50 } } };
    running.server.script = (request) => (isList(request) ? TWO_MODELS : unnamed);
    await send({ port: running.port, path: pathOf('chat-completions'), body });
    const more = ((await balanceOf(running)) as Figures).used - used;
    assert.ok(Math.abs(more - (20 * 100 + 50 * 500) / 1e6) < 1e-9, String(more));
  });

  it('cannot fall back to a model that is not in its list or has no price', async () => {
    const listed = issued({ models: ['model-a'] });
    assert.deepEqual(await answerTo('chat-completions', { models: ['unpriced'] }, listed), { status: 403, asked: 0 });
    assert.deepEqual(await answerTo('chat-completions', { models: ['unpriced'] }), { status: 402, asked: 0 });
    const options = { providerOptions: { gateway: { models: ['unpriced'] } } };
    assert.deepEqual(await answerTo('chat-completions', options, listed), { status: 403, asked: 0 });
    assert.deepEqual(await answerTo('chat-completions', { fallbacks: [{ m: 1 }] }), { status: 400, asked: 0 });
    assert.deepEqual(await answerTo('chat-completions', { models: ['model-a'] }), { status: 200, asked: 1 });
  });

  it('cannot contain members that another parser reads differently', async () => {
    for (const more of [{ max_tokens: '64000' }, { Max_Tokens: 64_000 }, { n: '30' }, { N: 30 }]) {
      assert.deepEqual(await answerTo('chat-completions', more), { status: 400, asked: 0 }, JSON.stringify(more));
    }
    const running = await startLimited(withBudget(1, 'usd'), () => SAID);
    const body = question('messages').replace('{', '{"max_tokens":64000,');
    assert.equal((await send({ port: running.port, path: pathOf('messages'), body })).status, 400);
  });

  it('is charged for a stream with hidden reasoning and no usage', async () => {
    const running = await startLimited(withBudget(1.2, 'usd'), () => ({ ...SAID, afterEvents: 12 }));
    const body = question('chat-completions', { stream: true, maxTokens: 50_000 });
    const ask = async () => (await send({ port: running.port, path: pathOf('chat-completions'), body })).status;
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 402]);
  });
});

describe('GET /balance', () => {
  afterEach(closeAll);

  it('is answered by the gateway for a key with a budget, at every path, and otherwise by the upstream', async () => {
    const withoutBudget = issued({ id: 'free', name: 'free', secret: 'key_free' });
    const ofService = { object: 'balance', balance: 12.5 };
    const running = await startLimited(withBudget(5, 'usd'), () => ({ status: 200, body: ofService }), {
      localKeys: [withBudget(5, 'usd'), withoutBudget],
    });
    for (const path of ['/api/v1/balance', '/v1/balance', '/balance', '/api/v1/v1/balance/', '//api//v1/balance?x=1']) {
      const own = await get({ port: running.port, path });
      const { balance, granted } = json(own) as Figures & { balance: number };
      assert.deepEqual([own.status, balance, granted], [200, 5, 5], path);
      assert.match(String(own.headers['request-id']), /^req_/);
    }
    assert.deepEqual(askedOf(running), []);
    const others = await get({ port: running.port, path: '/v1/balance', headers: { 'x-api-key': 'key_free' } });
    assert.deepEqual(json(others), ofService);
    const [record] = running.records;
    assert.deepEqual([record?.end, record?.status, record?.upstream], ['completed', 200, undefined]);
  });

  it('reports the reservation of a request in progress', async () => {
    const running = await startLimited(withBudget(1000), () => ({ ...SAID, afterEvents: 3, ending: 'stall' }));
    const request = open({ port: running.port, path: pathOf('messages') });
    request.end(question('messages', { stream: true }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { remaining, reserved } = await balanceOf(running);
    assert.equal(remaining, 1000);
    assert.ok(reserved >= NEEDED.min && reserved <= NEEDED.max, String(reserved));
    response.destroy();
    await read(response);
  });
});
