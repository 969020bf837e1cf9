import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { get, json, send } from '../support/client.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { type Limited, pathOf, question, startLimited, withBudget } from './limited.ts';

const SAID = { parts: [{ text: 'A pound of flesh.' }] };

describe('a budget after a restart', () => {
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  const start = (
    ledger: string | undefined,
    amount: number,
    script: Parameters<typeof startLimited>[1] = () => SAID,
  ) => {
    const books = new Bookkeeper(ledger === undefined ? {} : { ledger });
    closeLater(() => books.close());
    return startLimited(withBudget(amount, 'usd'), script, { books });
  };
  const ask = async ({ port }: Limited, stream = false) => {
    const body = question('chat-completions', { stream, includeUsage: false });
    return (await send({ port, path: pathOf('chat-completions'), body })).status;
  };
  const usedBy = async ({ port }: Limited) => {
    const { used, reserved } = json(await get({ port, path: '/v1/balance' })) as { used: number; reserved: number };
    assert.equal(reserved, 0);
    return used;
  };
  const rowsOf = (ledger: string) => {
    const database = new DatabaseSync(ledger, { readOnly: true });
    const columns = 'ended, status, model, cost, usage_is_estimated';
    const rows = database.prepare(`SELECT ${columns} FROM exchanges WHERE model IS NOT NULL`).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };

  it('is restored from the ledger, which also has its refusals', async () => {
    const ledger = emptyLedger();
    const first = await start(ledger, 0.0015);
    assert.equal(await ask(first), 200);
    const used = await usedBy(first);
    assert.equal(used, ((USAGE.prompt - USAGE.cached) * 1 + USAGE.cached * 0.1 + USAGE.completion * 10) / 1e6);
    await closeAll();
    const second = await start(ledger, used + 0.0005);
    assert.equal(await usedBy(second), used);
    assert.equal(await ask(second), 402);
    await closeAll();
    assert.deepEqual(rowsOf(ledger), [
      { ended: 'completed', status: 200, model: 'model-a', cost: Math.round(used * 1e9), usage_is_estimated: 0 },
      { ended: 'budget', status: 402, model: 'model-a', cost: null, usage_is_estimated: 0 },
    ]);
  });

  it('includes estimates', async () => {
    const ledger = emptyLedger();
    const first = await start(ledger, 1, () => ({ ...SAID, afterEvents: 4 }));
    await ask(first, true);
    const used = await usedBy(first);
    assert.ok(used > 0);
    await closeAll();
    assert.equal(await usedBy(await start(ledger, 1)), used);
    await closeAll();
    assert.equal(rowsOf(ledger)[0]?.usage_is_estimated, 1);
  });

  it('leaves the cache saving open if a cache write is only assumed', async () => {
    const ledger = emptyLedger();
    const content = [{ type: 'text', text: 'How much?', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const body = JSON.stringify({ ...JSON.parse(question('messages')), messages: [{ role: 'user', content }] });
    const usage = { input_tokens: 10, cache_creation_input_tokens: 1_000, output_tokens: 5 };
    const complete = { status: 200, body: { type: 'message', model: 'model-a', content: [], usage } };
    const answers = [complete, { ...complete, body: { ...complete.body, usage: null } }];
    const running = await start(ledger, 5, () => answers.shift() ?? 'hang up');
    for (const _ of [...answers]) await send({ port: running.port, path: pathOf('messages'), body });
    await closeAll();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const rows = database
      .prepare('SELECT cache_saving, cache_write_tokens FROM exchanges WHERE model IS NOT NULL')
      .all();
    database.close();
    assert.deepEqual(
      rows.map((row) => [row.cache_saving, Number(row.cache_write_tokens) > 0]),
      [
        [-250_000, true],
        [null, true],
      ],
    );
  });

  it('starts from zero without a ledger', async () => {
    const first = await start(undefined, 1);
    await ask(first);
    assert.ok((await usedBy(first)) > 0);
    await closeAll();
    assert.equal(await usedBy(await start(undefined, 1)), 0);
  });
});
