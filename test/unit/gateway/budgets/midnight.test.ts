import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { dayOf } from '../../../../src/display/day.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { readKeySpend } from '../../../../src/ledger/keySpend.ts';
import { Ledger } from '../../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { nextPeriod, periodStart } from '../../../../src/rules/period.ts';
import { eventually } from '../../../support/eventually.ts';
import { entry } from '../../ledger/entries.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { get, json, send } from '../support/client.ts';
import { closeAll, closeLater, startPair } from '../support/gateway.ts';
import { issued, pathOf, question } from './limited.ts';
import {
  AskedBudgets,
  dollars,
  freshBudgets,
  MAX_OF_PLANNED,
  MIDNIGHT,
  planned,
  prices,
  reservationOf,
  tokens,
} from './planned.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const HOUR = 3_600_000;
const USAGE = { inputTokens: 1000, outputTokens: 1000 };
const USED = [{ usage: USAGE }];
const DAILY = { amount: 1, unit: 'usd', period: 'daily' } as const;

const LISTED = JSON.stringify({ data: [{ id: 'model-a', pricing: { input: 1, output: 10 } }] });
/** A chat completion with $0.0011 of usage at the listed prices. */
const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
});

describe('a daily budget at midnight', () => {
  afterEach(async () => {
    mock.timers.reset();
    await closeAll();
    removeFolders();
  });

  it('counts a request that waited past midnight on the day of its row, as the sums and lists of keys do', async () => {
    mock.timers.enable({ apis: ['Date'], now: MIDNIGHT - 1000 });
    const ledger = emptyLedger();
    const books = new Bookkeeper({ ledger });
    closeLater(() => books.close());
    const held: ServerResponse[] = [];
    const key = issued({ limits: { parallel: 1 }, budgets: [DAILY] });
    const { port, gateway } = await startPair(
      (response, { path }) => {
        if (path.endsWith('/models')) response.writeHead(200, JSON_TYPE).end(LISTED);
        else held.push(response);
      },
      { books, localKeys: [key] },
    );
    const ask = () => send({ port, path: pathOf('chat-completions'), body: question('chat-completions') });
    const answered = async () => {
      await eventually('a request at the service', async () => held.length === 1);
      held.shift()?.writeHead(200, JSON_TYPE).end(ANSWER);
    };
    const first = ask();
    await eventually('a request at the service', async () => held.length === 1);
    const second = ask();
    await eventually('the second waits', async () => gateway.running.some(({ waitsFor }) => waitsFor !== undefined));
    mock.timers.setTime(MIDNIGHT + 1000);
    const balance = async () => json(await get({ port, path: '/v1/balance' })) as { used: number; reserved: number };
    await answered();
    await first;
    await eventually('a request at the service', async () => held.length === 1);
    assert.equal((await balance()).reserved, 0, 'nothing is reserved of the new day');
    await answered();
    await second;
    const third = ask();
    await answered();
    await third;
    await eventually('the end of all', async () => gateway.running.length === 0);
    const { used, reserved } = await balance();
    assert.deepEqual([used, reserved], [0.0011, 0]);
    await closeAll();
    const reader = new LedgerReader(ledger);
    const spentAt = (now: number) =>
      readKeySpend(reader, { keys: [{ id: key.id, periods: ['daily'] }] }, now)[0]?.spent.daily?.cost;
    assert.deepEqual([MIDNIGHT - 1, MIDNIGHT].map(spentAt), [0.0022, 0.0011]);
    assert.deepEqual([reader.spentSince('hosted', dayOf(MIDNIGHT))], [1_100_000]);
    reader.close();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const days = database.prepare('SELECT at FROM exchanges WHERE model IS NOT NULL ORDER BY at').all();
    database.close();
    assert.deepEqual(
      days.map(({ at }) => Number(at) >= MIDNIGHT),
      [false, false, true],
    );
  });

  it('has an account for each day as long as requests of that day run', () => {
    const clock = { now: MIDNIGHT - 1 };
    const budgets = freshBudgets(() => clock.now);
    const key = tokens(MAX_OF_PLANNED, 'daily');
    const old = reservationOf(budgets.ask(key, planned));
    clock.now = MIDNIGHT;
    reservationOf(budgets.ask(key, planned)).settle(USED);
    assert.ok(!budgets.ask(key, planned, MIDNIGHT - 1).ok, 'the day before is reserved');
    clock.now = MIDNIGHT + 24 * HOUR;
    assert.ok(budgets.ask(key, planned).ok);
    old.release();
    assert.ok(budgets.ask(key, planned, MIDNIGHT - 1).ok, 'the day before is free again');
  });

  it('is neither lost nor counted twice if the clock is set back and forth', () => {
    const ledger = new Ledger({ path: emptyLedger() });
    closeLater(async () => ledger.close());
    const clock = { now: MIDNIGHT + 1000 };
    const budgets = new AskedBudgets(
      (id, since, before) => ledger.spentBy(id, since, before),
      () => clock.now,
    );
    const key = dollars(0.006, 'daily');
    const spend = () => {
      const at = clock.now;
      const reservation = reservationOf(budgets.ask(key, planned));
      return () => {
        ledger.append(entry({ localKeyId: key.id, at, usage: USAGE, prices }));
        reservation.settle(USED);
      };
    };
    const figures = () => {
      const { used, reserved } = budgets.balance(key) as { used: number; reserved: number };
      return [used, reserved];
    };
    const next = spend();
    spend()();
    assert.deepEqual(figures(), [0.002, 0.002]);
    clock.now -= 2 * HOUR;
    assert.deepEqual(figures(), [0, 0], 'the day before');
    spend()();
    const before = spend();
    assert.deepEqual(figures(), [0.002, 0.002]);
    clock.now += 2 * HOUR;
    assert.deepEqual(figures(), [0.002, 0.002], 'the day after');
    next();
    before();
    assert.deepEqual(figures(), [0.004, 0]);
    clock.now -= 2 * HOUR;
    assert.deepEqual(figures(), [0.004, 0]);
    const restarted = new AskedBudgets(
      (id, since, before) => ledger.spentBy(id, since, before),
      () => clock.now,
    );
    assert.equal((restarted.balance(key) as { used: number }).used, 0.004);
  });
});

describe('the periods of budgets', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  for (const [zone, day, hours] of [
    ['Europe/Berlin', [2026, 2, 29], 23],
    ['Europe/Berlin', [2026, 9, 25], 25],
    // The clock goes from 24:00 of the day before to 1:00.
    ['Africa/Cairo', [2026, 3, 24], 23],
    ['Australia/Lord_Howe', [2026, 9, 4], 23.5],
  ] as const) {
    it(`follow one another without a gap on a day of ${hours} hours in ${zone}`, () => {
      process.env.TZ = zone;
      const [year, month, date] = day;
      const noon = new Date(year, month, date, 12).getTime();
      const [start, end] = [periodStart('daily', noon), nextPeriod('daily', noon) ?? 0];
      assert.equal((end - start) / HOUR, hours);
      for (let at = start; at < end; at += HOUR / 4) {
        assert.deepEqual([periodStart('daily', at), nextPeriod('daily', at)], [start, end]);
        assert.deepEqual([dayOf(at), periodStart('monthly', at)], [dayOf(noon), new Date(year, month, 1).getTime()]);
      }
      assert.deepEqual([periodStart('daily', end), nextPeriod('daily', start - 1)], [end, start]);
    });
  }
});
