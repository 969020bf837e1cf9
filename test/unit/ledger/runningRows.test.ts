import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import type { ExchangePage } from '../../../src/ledger/exchangeQuery.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { answerQuestion } from '../../../src/ledger/ledgerQuestion.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { eventually } from '../../support/eventually.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

/** Returns the ID of a process that no longer exists. */
function deadProcess(): number {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  return pid;
}

describe('an exchange in progress', () => {
  let path: string;
  const opened: Ledger[] = [];
  const open = () => {
    const ledger = new Ledger({ path });
    opened.push(ledger);
    return ledger;
  };

  beforeEach(() => {
    path = emptyLedger();
  });
  afterEach(() => {
    for (const ledger of opened.splice(0)) ledger.close();
    removeFolders();
  });

  const change = (statement: string, ...values: number[]) => {
    const database = new DatabaseSync(path);
    database.prepare(statement).run(...values);
    database.close();
  };
  const rows = () => {
    const reader = new LedgerReader(path);
    const page = reader.exchanges({ filter: {}, limit: 10 });
    reader.close();
    return page.rows.map(({ id, end, usage, usageIsEstimated, cost }) => ({ id, end, usage, usageIsEstimated, cost }));
  };
  const running = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare('SELECT id, ended, cost FROM running').all();
    database.close();
    return found.map((row) => ({ ...row }));
  };
  const begun = entry({ usageIsEstimated: true, end: 'lost' });

  it('has a row with an estimate from the moment it is sent, which its end replaces', () => {
    const ledger = open();
    ledger.begin(begun.id, () => begun);
    ledger.flush();
    assert.deepEqual(running(), [{ id: begun.id, ended: 'lost', cost: 4_500_000 }]);
    assert.deepEqual(rows(), []);
    ledger.append({ ...begun, usageIsEstimated: false, end: 'completed' });
    ledger.flush();
    assert.deepEqual(running(), []);
    assert.deepEqual(
      rows().map(({ end }) => end),
      ['completed'],
    );
  });

  it('has its row soon after it is sent, without a batch of ended exchanges', async () => {
    open().begin(begun.id, () => begun);
    await eventually('its row', async () => running().length === 1);
    assert.deepEqual(rows(), []);
  });

  it('is written after the event loop turn in which it is sent or ends, if a budget pays for it', async () => {
    const ledger = open();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    ledger.begin(begun.id, () => begun, true);
    ledger.begin('other', () => ({ ...begun, id: 'other' }), true);
    await turn();
    assert.deepEqual(
      running().map(({ id }) => id),
      [begun.id, 'other'],
    );
    ledger.append({ ...begun, end: 'completed' }, { isUrgent: true });
    await turn();
    assert.deepEqual(
      [running(), rows()].map((found) => found.map(({ id }) => id)),
      [['other'], [begun.id]],
    );
  });

  it('is written later if the file is locked at first', async () => {
    const ledger = open();
    const blocking = new DatabaseSync(path);
    blocking.exec('BEGIN IMMEDIATE');
    ledger.begin(begun.id, () => begun, true);
    ledger.append({ ...begun, id: 'ended', end: 'completed' }, { isUrgent: true });
    await new Promise((resolve) => setImmediate(resolve));
    blocking.exec('ROLLBACK');
    blocking.close();
    await eventually('both rows', async () => running().length === 1 && rows().length === 1);
  });

  it('is read as lost once its process has died, even if the ledger is not opened again', () => {
    const ledger = open();
    ledger.begin(begun.id, () => begun);
    ledger.flush();
    const reader = new LedgerReader(path);
    const ends = () => {
      const asks = { ledger: path, filter: {}, limit: 10 };
      const page = answerQuestion(reader, { name: 'exchanges', asks }) as ExchangePage;
      return page.rows.map(({ end }) => end);
    };
    assert.deepEqual(ends(), []);
    change('UPDATE running SET process = ?', deadProcess());
    assert.deepEqual([ends(), ends(), running()], [['lost'], ['lost'], []]);
    reader.close();
  });

  it('is never written as running if it ends within a batch', () => {
    const ledger = open();
    ledger.begin(begun.id, () => assert.fail('Nobody needs to know.'));
    ledger.append(begun);
    ledger.flush();
    assert.deepEqual([running().length, rows().length], [0, 1]);
  });

  it('is recorded as lost, with its estimate, when another process opens the ledger', () => {
    const ledger = open();
    ledger.begin(begun.id, () => begun);
    ledger.flush();
    change('UPDATE running SET process = ?', deadProcess());
    assert.equal(open().spentBy('terminal', 0).cost, 4_500_000);
    assert.deepEqual(running(), []);
    const { usage } = begun;
    assert.deepEqual(rows(), [{ id: begun.id, end: 'lost', usage, usageIsEstimated: true, cost: 0.0045 }]);
  });

  it('is kept while its process is alive, and lost once that stops reporting', () => {
    const ledger = open();
    ledger.begin(begun.id, () => begun);
    ledger.flush();
    open();
    assert.deepEqual([running().length, rows().length], [1, 0]);
    change('UPDATE running SET seen_at = seen_at - ?', 11 * 60 * 1000);
    open();
    assert.deepEqual([running().length, rows().length], [0, 1]);
  });

  it('counts once if its process was wrongly considered dead', () => {
    const ledger = open();
    ledger.begin(begun.id, () => begun);
    ledger.flush();
    change('UPDATE running SET process = ?', deadProcess());
    open();
    ledger.append({ ...begun, end: 'completed' });
    ledger.flush();
    assert.deepEqual(
      rows().map(({ end }) => end),
      ['completed'],
    );
  });
});

describe('the cost details of a row', () => {
  afterEach(removeFolders);

  it('are the line items, the assumptions, and the cache saving', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    const usage = {
      inputTokens: 1_000_000,
      cachedInputTokens: 600_000,
      cacheWriteTokens: 200_000,
      longCacheWriteTokens: 100_000,
      outputTokens: 10_000,
    };
    ledger.append(entry({ usage, prices: { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 } }));
    ledger.close();
    const reader = new LedgerReader(path);
    const [row] = reader.exchanges({ filter: {}, limit: 1 }).rows;
    const today = new Date().toISOString().slice(0, 10);
    const period = { first: '2020-01-01', last: `${Number(today.slice(0, 4)) + 1}-01-01` };
    const { totals, callers, models } = reader.usage({ period, ofSandbox: false });
    reader.close();
    assert.deepEqual(
      row?.bill?.map(({ kind, amount, price, isAssumed }) => [kind, amount, price, isAssumed]),
      [
        ['input', 200_000, 3, false],
        ['cachedInput', 600_000, 0.3, false],
        ['cacheWrite', 100_000, 3.75, true],
        ['longCacheWrite', 100_000, 6, true],
        ['output', 10_000, 15, false],
      ],
    );
    const sum = row?.bill?.reduce((all, { cost }) => all + cost, 0) ?? 0;
    assert.ok(Math.abs(sum - (row?.cost ?? 0)) < 1e-9);
    // 0.6 × 2.70 saved by reads; 0.1 × 0.75 and 0.1 × 3 paid for writes.
    assert.equal(row?.cacheSaving, 1.245);
    assert.deepEqual([totals.cacheSaving, callers[0]?.cacheSaving, models[0]?.cacheSaving], [1.245, 1.245, 1.245]);
  });
});
