import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf } from '../../../../src/display/day.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { offersOf, type Upstream } from '../../../../src/gateway/core/upstream.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { ExchangePrices } from '../../../../src/gateway/exchanges/exchangePrices.ts';
import { SingleUpstream } from '../../../../src/gateway/routing/singleUpstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { type Answer, ModelServer } from '../../../support/modelServer/modelServer.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const CHAT = '/api/v1/chat/completions';
/** Bodies of at least this length are streamed. */
const STREAMED_BYTES = 128 * 1024;
const SECRET_QUESTION = 'What did Antonio borrow?';
const SECRET_ANSWER = 'Three thousand ducats.';
const SAID = { parts: [{ text: SECRET_ANSWER }] };

function question(model: string): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: SECRET_QUESTION }] });
}

/** Returns a question in a format, without its model. */
function asked(format: FormatName): Record<string, unknown> {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: SECRET_QUESTION }] }];
  const request = { model: '', maxTokens: 100, system: [], stream: false, includeUsage: true, messages };
  return wireFormats[format].encodeRequest(request) as Record<string, unknown>;
}

/** An upstream that lists these models, and gives every question the same answer. */
function upstream(models: unknown): { script: (request: { path: string }) => Answer } {
  const listed = { status: 200, body: { object: 'list', data: models } };
  return { script: ({ path }) => (path.startsWith('/api/v1/models') ? listed : SAID) };
}

function modelAt(input: number, id = 'model-a') {
  return { id, pricing: { input, output: 10, cached_input: input / 10 } };
}

/** Returns billionths of a US dollar for the usage that scripted servers report. */
function costAt(input: number): number {
  return (USAGE.prompt - USAGE.cached) * input * 1000 + USAGE.cached * input * 100 + USAGE.completion * 10_000;
}

describe('the bookkeeping of the gateway', () => {
  let path: string;
  let books: Bookkeeper;
  let problems: string[];
  let records: ExchangeRecord[];

  beforeEach(() => {
    path = emptyLedger();
    problems = [];
    records = [];
    books = openBooks();
  });
  afterEach(async () => {
    await closeAll();
    await books.close();
    removeFolders();
  });

  const openBooks = () =>
    new Bookkeeper({
      ledger: path,
      onRecord: (record) => records.push(record),
      onProblem: (message) => problems.push(message),
    });

  const rows = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const all = database.prepare('SELECT * FROM exchanges ORDER BY number').all();
    database.close();
    return all;
  };

  /** Returns the costs of records that have one, in billionths of a US dollar. */
  const costs = () => records.flatMap(({ cost }) => (cost === undefined ? [] : [Math.round(cost * 1e9)]));

  /** Closes everything, so that all is written, and opens new books. */
  const settle = async () => {
    await closeAll();
    await books.close();
    books = new Bookkeeper({ onProblem: (message) => problems.push(message) });
  };

  const startHosted = async (models: unknown) => {
    const server = await ModelServer.start(upstream(models).script);
    closeLater(() => server.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => hosted.close());
    return { server, ...(await startGateway({ upstream: hosted, books })) };
  };

  it('estimates an unsent request of a router at the price of the first upstream that offers its model', async () => {
    const server = await ModelServer.start(upstream([modelAt(3)]).script);
    closeLater(() => server.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => hosted.close());
    const offers = (model: string) => offersOf(hosted, model);
    const router: Upstream = { id: 'router', offers, member: () => undefined, send: hosted.send, close: hosted.close };
    const prices = new ExchangePrices();
    await prices.listings(offers('model-a'));
    const soFar: ExchangeRecord = {
      ...{ id: '1', at: 0, callerFormat: 'messages', model: 'model-a', upstream: 'router', end: 'lost' },
      ...{ durationMs: 1, bytesIn: 1, bytesOut: 0, usageIsEstimated: true },
      usage: { inputTokens: 1_000, outputTokens: 0 },
    };
    assert.equal(prices.lostEntry({ id: '1', soFar, upstream: router }).cost, 3_000_000);
  });

  it('has one row per exchange, with its usage and its cost by the catalog of the service', async () => {
    const { port } = await startHosted([modelAt(3)]);
    await send({ port, path: CHAT, body: question('model-a') });
    await send({ port, path: '/v1/nowhere' });
    await settle();
    assert.equal(rows().length, 2);
    const row = rows().find(({ status }) => status === 200);
    assert.deepEqual(
      [row?.source, row?.local_key_id, row?.model, row?.upstream, row?.caller_format, row?.upstream_format, row?.ended],
      ['gateway', 'tests', 'model-a', 'hosted', 'chat-completions', 'chat-completions', 'completed'],
    );
    assert.deepEqual(
      [row?.input_tokens, row?.cached_input_tokens, row?.output_tokens, row?.usage_is_estimated],
      [USAGE.prompt, USAGE.cached, USAGE.completion, 0],
    );
    assert.deepEqual(
      [row?.input_price, row?.output_price, row?.cached_input_price, row?.cost],
      [3, 10, 0.3, costAt(3)],
    );
    assert.deepEqual(costs(), [costAt(3)]);
  });

  it('has the cost of a request whose long body was streamed', async () => {
    const server = await ModelServer.start(upstream([modelAt(3)]).script);
    closeLater(() => server.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    const single = new SingleUpstream(hosted, new TokenCounter());
    closeLater(() => single.close());
    const { port } = await startGateway({ upstream: single, books });
    const messages = [{ role: 'user', content: SECRET_QUESTION.repeat(STREAMED_BYTES / 10) }];
    await send({ port, path: '/v1/messages', body: JSON.stringify({ model: 'model-a', max_tokens: 100, messages }) });
    await settle();
    const [row] = rows();
    assert.deepEqual([row?.model, row?.cost, row?.input_price], ['model-a', costAt(3), 3]);
  });

  it('requests the catalog once, and only after an answer with usage', async () => {
    const { port, server } = await startHosted([modelAt(3)]);
    await send({ port, path: '/v1/nowhere' });
    for (let nth = 0; nth < 5; nth++) await send({ port, path: CHAT, body: question('model-a') });
    await settle();
    assert.equal(rows().filter(({ cost }) => cost !== null).length, 5);
    assert.equal(server.requests.filter(({ path }) => path === '/api/v1/models').length, 1);
    assert.equal(server.requests[0]?.path, CHAT);
  });

  it('uses the prices of the upstream that answered, by its own name for the model', async () => {
    const behind = [
      { ...upstream([modelAt(1)]), formats: ['chat-completions'] as const, models: ['other'] },
      { ...upstream([modelAt(5)]), formats: ['messages'] as const, models: ['model-a'] },
    ];
    const { port } = await startRouter(behind, { usual: 'server1/model-a' }, { books });
    await send({ port, path: CHAT, body: question('usual') });
    await send({ port, path: CHAT, body: question('server0/model-a') });
    await settle();
    const spent = rows().map(({ model, upstream: by, upstream_format, cost }) => [model, by, upstream_format, cost]);
    assert.deepEqual(spent.sort(), [
      ['server0/model-a', 'server0', 'chat-completions', costAt(1)],
      ['usual', 'server1', 'messages', costAt(5)],
    ]);
  });

  for (const stream of [true, false]) {
    for (const format of ['chat-completions', 'messages', 'responses'] as const) {
      it(`uses the prices of the model that the service chose, ${stream ? 'streamed' : 'whole'} in ${format}`, async () => {
        const models = { object: 'list', data: [modelAt(3), modelAt(7, 'model-b')] };
        const server = await ModelServer.start(({ path }) =>
          path.startsWith('/api/v1/models') ? { status: 200, body: models } : { ...SAID, answersAs: 'model-b' },
        );
        closeLater(() => server.close());
        const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
        closeLater(() => hosted.close());
        const { port } = await startGateway({ upstream: hosted, books });
        const path = `/api/v1${wireFormats[format].path}`;
        await send({ port, path, body: JSON.stringify({ ...asked(format), model: 'model-a', stream }) });
        await settle();
        const recorded = rows().map(({ model, answered_model, input_price, cost }) => [
          model,
          answered_model,
          input_price,
          cost,
        ]);
        assert.deepEqual(recorded, [['model-a', 'model-b', 7, costAt(7)]]);
      });
    }
  }

  it('uses the prices of the model that was chosen behind a translation', async () => {
    const behind = {
      script: ({ path }: { path: string }) =>
        path.startsWith('/api/v1/models')
          ? { status: 200, body: { object: 'list', data: [modelAt(3), modelAt(7, 'model-b')] } }
          : { ...SAID, answersAs: 'model-b' },
      formats: ['messages'] as const,
      models: ['model-a'],
    };
    const { port } = await startRouter([behind], {}, { books });
    await send({ port, path: CHAT, body: question('model-a') });
    await send({ port, path: CHAT, body: JSON.stringify({ ...JSON.parse(question('model-a')), stream: true }) });
    await settle();
    const recorded = rows().map(({ answered_model, cost }) => [answered_model, cost]);
    assert.deepEqual(recorded, Array(2).fill(['model-b', costAt(7)]));
  });

  it('uses the prices of the requested model if the list does not have the name in the answer', async () => {
    const server = await ModelServer.start(({ path }) =>
      path.startsWith('/api/v1/models')
        ? { status: 200, body: { object: 'list', data: [modelAt(3)] } }
        : { ...SAID, answersAs: 'model-a-2026-01-01' },
    );
    closeLater(() => server.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => hosted.close());
    const { port } = await startGateway({ upstream: hosted, books });
    await send({ port, path: CHAT, body: question('model-a') });
    await settle();
    assert.deepEqual(
      rows().map(({ answered_model, cost }) => [answered_model, cost]),
      [[null, costAt(3)]],
    );
  });

  it('keeps the cost of an exchange when the service changes its prices', async () => {
    const before = await startHosted([modelAt(3)]);
    await send({ port: before.port, path: CHAT, body: question('model-a') });
    await settle();
    await books.close();
    books = openBooks();
    const after = await startHosted([modelAt(5)]);
    await send({ port: after.port, path: CHAT, body: question('model-a') });
    await settle();
    assert.deepEqual(
      rows().map(({ input_price, cost }) => [input_price, cost]),
      [
        [3, costAt(3)],
        [5, costAt(5)],
      ],
    );
    const today = dayOf(Date.now());
    const reader = new LedgerReader(path);
    const { totals } = reader.usage({ period: { first: addDays(today, -1), last: today }, ofSandbox: false });
    reader.close();
    assert.equal(Math.round(totals.cost * 1e9), costAt(3) + costAt(5));
  });

  it('uses the sandbox prices from its catalog', async () => {
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }), books });
    await send({ port, path: CHAT, body: question('familya-haiku-4.5') });
    await settle();
    const [row] = rows();
    assert.deepEqual([row?.input_price, row?.output_price], [1, 5]);
    assert.equal(row?.cost, Number(row?.input_tokens) * 1000 + Number(row?.output_tokens) * 5000);
  });

  for (const [name, models] of [
    ['the catalog does not have', []],
    ['the catalog has no price for', [{ id: 'model-a' }]],
    ['no upstream lists', 'nothing'],
  ] as const) {
    it(`has no cost for a model that ${name}`, async () => {
      const { port } = await startHosted(models);
      await send({ port, path: CHAT, body: question('model-a') });
      await settle();
      const [row] = rows();
      assert.deepEqual([row?.input_tokens, row?.cost, row?.input_price], [USAGE.prompt, null, null]);
      assert.deepEqual([records.length, costs()], [1, []]);
    });
  }

  it('stores no keys and no content in any of its files', async () => {
    const { port } = await startHosted([modelAt(3)]);
    const headers = { 'x-api-key': LOCAL_KEY, 'content-type': 'application/json', 'user-agent': LOCAL_KEY };
    await send({ port, path: CHAT, headers, body: question('model-a') });
    await send({ port, path: CHAT, headers, body: question(SERVICE_KEY) });
    await send({ port, path: `/v1/${SERVICE_KEY}`, headers });
    await send({ port, path: CHAT, headers: { 'x-api-key': 'key_unknown-but-secret' }, body: question('model-a') });
    await settle();
    assert.equal(rows().length, 3);
    const folder = dirname(path);
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    for (const secret of [LOCAL_KEY, SERVICE_KEY, 'key_unknown-but-secret', SECRET_QUESTION, SECRET_ANSWER]) {
      assert.ok(!written.join('').includes(secret.slice(4)), secret);
    }
  });

  it('reports once that there is no ledger, and still delivers the records', async () => {
    const file = join(dirname(dirname(path)), 'file');
    writeFileSync(file, '');
    await books.close();
    const ledger = join(file, 'ledger.sqlite');
    books = new Bookkeeper({
      ledger,
      onRecord: (record) => records.push(record),
      onProblem: (message) => problems.push(message),
    });
    const { port } = await startHosted([modelAt(3)]);
    for (let nth = 0; nth < 3; nth++) {
      assert.equal((await send({ port, path: CHAT, body: question('model-a') })).status, 200);
    }
    await settle();
    assert.equal(problems.length, 1);
    assert.ok(problems[0]?.includes(ledger));
    assert.deepEqual(costs(), [costAt(3), costAt(3), costAt(3)]);
  });
});
