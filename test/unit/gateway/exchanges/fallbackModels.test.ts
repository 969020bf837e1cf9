import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { offersOf } from '../../../../src/gateway/core/upstream.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { ExchangePrices } from '../../../../src/gateway/exchanges/exchangePrices.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import type { UpstreamAttempt } from '../../../../src/ledger/upstreamAttempt.ts';
import { type Answer, ModelServer } from '../../../support/modelServer/modelServer.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { issued, pathOf, question } from '../budgets/limited.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

/** Input prices, in US dollars per 1M tokens. */
const INPUT = { usual: 3, dear: 70, middling: 10 };
const LIST: Answer = {
  status: 200,
  body: { data: Object.entries(INPUT).map(([id, input]) => ({ id, pricing: { input, output: 2 * input } })) },
};
const [PROMPT, COMPLETION] = [20, 50];
/** In billionths of a US dollar. */
const costOf = (model: keyof typeof INPUT) => (PROMPT + 2 * COMPLETION) * INPUT[model] * 1000;

/** An answer in any format, with or without a model. */
function answer(format: FormatName, model: string | undefined): Answer {
  const named = model === undefined ? {} : { model };
  if (format === 'chat-completions') {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'A pound.' }, finish_reason: 'stop' }];
    return {
      status: 200,
      body: { ...named, choices, usage: { prompt_tokens: PROMPT, completion_tokens: COMPLETION } },
    };
  }
  const usage = { input_tokens: PROMPT, output_tokens: COMPLETION };
  const content = [{ type: 'text', text: 'A pound.' }];
  return {
    status: 200,
    body: { ...named, type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage },
  };
}

const STREAM = [
  { choices: [{ index: 0, delta: { content: 'A pound.' }, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: PROMPT, completion_tokens: COMPLETION } },
].map((event) => `data: ${JSON.stringify(event)}\n\n`);
const UNNAMED_STREAM: Answer = { stream: `${STREAM.join('')}data: [DONE]\n\n` };

interface Entered {
  readonly answered_model: string | null;
  readonly cost: number;
  readonly usage_is_estimated: number;
}

describe('a request with fallback models', () => {
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  /** Returns the row of a request with these members, for a key without a budget. */
  const rowOf = async (format: FormatName, more: object, answered: Answer): Promise<Entered | undefined> => {
    const server = await ModelServer.start(({ path }) => (path.startsWith('/api/v1/models') ? LIST : answered));
    closeLater(() => server.close());
    const upstream = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const ledger = emptyLedger();
    const books = new Bookkeeper({ ledger });
    const running = await startGateway({ upstream, books });
    const ended = running.nextRecord();
    const messages = [{ role: 'user', content: 'How much?' }];
    const body = JSON.stringify({ model: 'usual', max_tokens: 100, messages, ...more });
    const { status } = await send({ port: running.port, path: `/api/v1${wireFormats[format].path}`, body });
    assert.equal(status, 200);
    await ended;
    await books.close();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const row = database.prepare('SELECT answered_model, cost, usage_is_estimated FROM exchanges').get();
    database.close();
    return { ...row } as unknown as Entered;
  };

  const uncertain = { answered_model: 'dear', cost: costOf('dear'), usage_is_estimated: 1 };

  for (const more of [
    { models: ['middling', 'dear'] },
    { fallbacks: [{ model: 'dear' }] },
    { fallbacks: [{ usual: ['middling', 'dear'] }] },
    { fallback_models: 'dear' },
    { providerOptions: { gateway: { models: ['dear'] } } },
  ]) {
    it(`costs as much as the most expensive one, marked, if the answer names none: ${JSON.stringify(more)}`, async () => {
      assert.deepEqual(await rowOf('chat-completions', more, answer('chat-completions', undefined)), uncertain);
    });
  }

  it('costs the same as a stream', async () => {
    const more = { models: ['middling', 'dear'], stream: true, stream_options: { include_usage: true } };
    assert.deepEqual(await rowOf('chat-completions', more, UNNAMED_STREAM), uncertain);
  });

  it('costs the same as a stream with usage requested by the gateway', async () => {
    assert.deepEqual(await rowOf('chat-completions', { models: ['dear'], stream: true }, UNNAMED_STREAM), uncertain);
  });

  for (const [length, size] of [
    [200_000, 'long'],
    [9_000_000, 'longer than what is compared with earlier requests'],
  ] as const) {
    it(`costs the same if its body was streamed through and is ${size}`, async () => {
      const more = { system: 'Be brief. '.repeat(length / 10), fallbacks: ['dear'] };
      assert.deepEqual(await rowOf('messages', more, answer('messages', undefined)), uncertain);
    });
  }

  it('costs the same if the name in the answer is unknown', async () => {
    const unknown = answer('chat-completions', 'another');
    assert.deepEqual(await rowOf('chat-completions', { models: ['dear'] }, unknown), uncertain);
  });

  it('costs as much as the model that the answer names, also by a dated name', async () => {
    const more = { models: ['middling', 'dear'] };
    for (const [name, model] of [
      ['middling', 'middling'],
      ['middling-2026-01-01', 'middling'],
      ['usual', 'usual'],
      ['usual-20260101', 'usual'],
    ] as const) {
      const row = await rowOf('chat-completions', more, answer('chat-completions', name));
      const answered_model = model === 'usual' ? null : model;
      assert.deepEqual(row, { answered_model, cost: costOf(model), usage_is_estimated: 0 }, name);
    }
  });

  it('costs what was reserved for the most expensive one if its end is unknown', async () => {
    const server = await ModelServer.start(() => LIST);
    closeLater(() => server.close());
    const upstream = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const prices = new ExchangePrices();
    await prices.listings(offersOf(upstream, 'usual'));
    const soFar: ExchangeRecord = {
      ...{ id: '1', at: 0, callerFormat: 'messages', model: 'usual', answeredModel: 'dear', end: 'lost' },
      ...{ durationMs: 1, bytesIn: 1, bytesOut: 0, usageIsEstimated: true },
      usage: { inputTokens: PROMPT, outputTokens: COMPLETION },
    };
    const { cost, answeredModel } = prices.lostEntry({ id: '1', soFar, upstream });
    assert.deepEqual([cost, answeredModel], [costOf('dear'), 'dear']);
  });

  for (const [what, terms] of [
    ['with a budget', { budgets: [{ amount: 5, unit: 'usd', period: 'total' }] }],
    ['without a budget', {}],
  ] as const) {
    it(`costs as much as the most expensive one for each attempt, with a key ${what}`, async () => {
      const behind = [
        {
          formats: ['chat-completions'] as const,
          maxTokensPerSecond: 1e9,
          script: ({ path }: { path: string }) => (path.endsWith('/models') ? LIST : 'hang up') as Answer,
        },
      ];
      const ledger = emptyLedger();
      const books = new Bookkeeper({ ledger });
      const running = await startRouter(behind, {}, { books, localKeys: [issued(terms)] });
      const ended = running.nextRecord();
      const body = JSON.stringify({
        ...JSON.parse(question('chat-completions', { model: 'server0/usual' })),
        models: ['dear'],
      });
      await send({ port: running.port, path: pathOf('chat-completions'), body });
      const { attempts = [] } = await ended;
      assert.equal(attempts.length, 2);
      await books.close();
      const database = new DatabaseSync(ledger, { readOnly: true });
      const { cost, attempts_cost, attempts: recorded } = database.prepare('SELECT * FROM exchanges').get() ?? {};
      database.close();
      assert.equal(Number(cost), 2 * Number(attempts_cost));
      const billed = (JSON.parse(String(recorded)) as UpstreamAttempt[]).filter(({ usage }) => usage !== undefined);
      assert.deepEqual(
        billed.map(({ answeredModel, usageIsEstimated }) => [answeredModel, usageIsEstimated]),
        [['dear', true]],
      );
      assert.ok(!String(recorded).includes('fallbackModels'));
    });
  }

  it('is not detected in the text of a message', async () => {
    const messages = [{ role: 'user', content: '{"models": ["dear"]}' }];
    const tools = [
      { type: 'function', function: { name: 'ask', parameters: { properties: { models: { enum: ['dear'] } } } } },
    ];
    const row = await rowOf('chat-completions', { messages, tools }, answer('chat-completions', undefined));
    assert.deepEqual(row, { answered_model: null, cost: costOf('usual'), usage_is_estimated: 0 });
  });
});
