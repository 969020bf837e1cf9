import assert from 'node:assert/strict';
import { dayOf } from '../../../../src/display/day.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { issued, pathOf, question, startLimited, withBudget } from '../budgets/limited.ts';
import { get, json, send } from '../support/client.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const COUNTS = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const LISTED = { id: 'model-a', pricing: { input: 1, output: 10 } };
/** By these prices, in billionths of a US dollar. */
const BY_PRICES = 200_000;
/** What the upstream charges. */
const REPORTED = 0.000_123_456;

const CHOICE = { index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' };
const whole = (usage: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body: { id: 'c', object: 'chat.completion', created: 1, model: 'model-a', choices: [CHOICE], usage },
  headers,
});
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null = null) =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'model-a',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const begun = chunk({ role: 'assistant', content: 'Yes.' });
const stream = (usage: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  stream: `${begun}${chunk({}, 'stop')}${event({ choices: [], usage })}data: [DONE]\n\n`,
  headers,
});

describe('an amount that the upstream reports to have charged', () => {
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  /** Asks once, and returns the row of the ledger and the balance of the key. */
  const ask = async (
    answer: Answer,
    {
      caller = 'chat-completions',
      isStream = false,
      listed = LISTED,
    }: { caller?: FormatName; isStream?: boolean; listed?: object | null } = {},
  ) => {
    const ledger = emptyLedger();
    const books = new Bookkeeper({ ledger });
    closeLater(() => books.close());
    const list = { status: 200, body: { data: listed === null ? [] : [listed] } };
    const unit = listed === null ? 'tokens' : 'usd';
    const { port } = await startRouter(
      [{ script: ({ path }) => (path.startsWith('/api/v1/models') ? list : answer) }],
      {},
      { books, localKeys: [issued({ budgets: [{ amount: 100_000, unit, period: 'total' }] })] },
    );
    const body = question(caller, { stream: isStream, includeUsage: false });
    assert.equal((await send({ port, path: pathOf(caller), body })).status, 200);
    const { used, reserved } = json(await get({ port, path: '/v1/balance' })) as { used: number; reserved: number };
    await closeAll();
    const reader = new LedgerReader(ledger);
    const [row] = reader.exchanges({ filter: { model: 'model-a' }, limit: 10 }).rows;
    assert.ok(row !== undefined);
    const day = dayOf(row.at);
    const { unpriced } = reader.usage({ period: { first: day, last: day }, ofSandbox: false }).totals;
    reader.close();
    if (unit === 'usd') assert.deepEqual([used, reserved], [row.cost, 0]);
    return { ...row, unpriced };
  };

  for (const [what, answer, options] of [
    ['in an answer', whole({ ...COUNTS, cost: REPORTED }), {}],
    ['in the header of an answer', whole(COUNTS, { 'x-litellm-response-cost': String(REPORTED) }), {}],
    ['at the end of a stream', stream({ ...COUNTS, cost: REPORTED }), { isStream: true }],
    ['in a translated answer', whole({ ...COUNTS, cost: REPORTED }), { caller: 'messages' }],
    [
      'in the header of a translated answer',
      whole(COUNTS, { 'x-litellm-response-cost': String(REPORTED) }),
      { caller: 'responses' },
    ],
    [
      'at the end of a translated stream',
      stream({ ...COUNTS, cost: REPORTED }),
      { caller: 'messages', isStream: true },
    ],
  ] as const) {
    it(`is the cost of its row and what its key pays: ${what}`, async () => {
      const { cost, usage, usageIsEstimated, bill } = await ask(answer, options);
      assert.deepEqual([cost, usage?.reportedCost, usageIsEstimated], [REPORTED, REPORTED, undefined]);
      assert.deepEqual(
        bill?.map(({ kind, amount, price }) => [kind, amount, price]),
        [
          ['input', 100, 1],
          ['output', 10, 10],
        ],
      );
    });
  }

  it('is the cost of a model without a listed price, and of an unlisted tier', async () => {
    const unlisted = await ask(whole({ ...COUNTS, cost: REPORTED }), { listed: null });
    assert.deepEqual([unlisted.cost, unlisted.bill, unlisted.unpriced], [REPORTED, undefined, 0]);
    const tier = await ask(whole({ ...COUNTS, cost: REPORTED, service_tier: 'priority' }));
    assert.deepEqual([tier.cost, tier.usageIsEstimated], [REPORTED, undefined]);
  });

  it('is ignored if it is negative, in a header of a stream, or if the answer was cut off after it', async () => {
    const negative = await ask(whole({ ...COUNTS, cost: -1 }));
    assert.deepEqual([negative.cost, negative.usage?.reportedCost], [BY_PRICES / 1e9, undefined]);
    const early = await ask(stream(COUNTS, { 'x-litellm-response-cost': '0' }), { isStream: true });
    assert.equal(early.cost, BY_PRICES / 1e9);
    const cut = `${event({ choices: [], usage: { ...COUNTS, cost: REPORTED } })}${begun}`;
    const { cost, usage, usageIsEstimated } = await ask({ stream: cut, ending: 'cut' }, { isStream: true });
    assert.deepEqual([usage?.reportedCost, usageIsEstimated], [undefined, true]);
    assert.ok((cost ?? 0) > REPORTED);
  });

  it('is ignored from the hosted service, whose bill follows from its list of prices', async () => {
    const books = new Bookkeeper();
    closeLater(() => books.close());
    for (const reported of [whole({ ...COUNTS, cost: 0 }), whole(COUNTS, { 'x-litellm-response-cost': '0' })]) {
      const { port } = await startLimited(withBudget(1, 'usd'), () => reported, { books });
      const before = json(await get({ port, path: '/v1/balance' })) as { used: number };
      assert.equal(
        (await send({ port, path: pathOf('chat-completions'), body: question('chat-completions') })).status,
        200,
      );
      const { used } = json(await get({ port, path: '/v1/balance' })) as { used: number };
      assert.equal(Math.round((used - before.used) * 1e9), BY_PRICES);
    }
  });

  it('includes reasoning and fees of unknown number; without it, they are charged at their maximum and marked', async () => {
    const listed = { id: 'model-a', pricing: { input: 1, output: 10, internal_reasoning: 30, request: 0.001 } };
    const exact = await ask(whole({ ...COUNTS, completion_tokens_details: { reasoning_tokens: 4 } }), { listed });
    assert.deepEqual([exact.cost, exact.usageIsEstimated], [0.001_28, undefined]);
    const open = await ask(whole(COUNTS), { listed });
    assert.deepEqual([open.cost, open.usageIsEstimated], [0.0014, true]);
    const reported = await ask(whole({ ...COUNTS, cost: REPORTED }), { listed });
    assert.deepEqual([reported.cost, reported.usageIsEstimated], [REPORTED, undefined]);
  });
});
