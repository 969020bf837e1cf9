import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { CallLedger } from '../../../src/ledger/callLedger.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { LedgerThread } from '../../../src/ledger/ledgerThread.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;
const SCOPE = { period: { first: '2026-11-20', last: '2026-11-20' }, ofSandbox: false };
const COST = 0.0045;
const SHOP = { at: NOON, repository: 'orchard/shop', branch: 'feature/totals' };

describe('the sums by repository and branch', () => {
  let path: string;

  beforeEach(() => {
    path = emptyLedger();
  });
  afterEach(removeFolders);

  function write(...entries: readonly ReturnType<typeof entry>[]): void {
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
  }

  function read<Result>(use: (reader: LedgerReader) => Result): Result {
    const reader = new LedgerReader(path);
    try {
      return use(reader);
    } finally {
      reader.close();
    }
  }

  /** With the cost in hundredths of a cent. */
  const sums = (scope = SCOPE) => {
    const { byRepository, byBranch } = read((reader) => reader.usageSessions(scope));
    const brief = (rows: typeof byBranch) =>
      rows.map(({ repository, branch, exchanges, cost }) => [repository, branch, exchanges, Math.round(cost * 1e4)]);
    return { byRepository: brief(byRepository), byBranch: brief(byBranch) };
  };

  it('contain the requests of the period with a known repository, the most expensive first', () => {
    write(
      entry({ ...SHOP, branch: 'main' }),
      entry(SHOP),
      entry({ ...SHOP, at: NOON + 5 }),
      entry({ at: NOON, repository: 'notes' }),
      entry({ ...SHOP, at: NOON - DAY }),
      entry({ at: NOON }),
    );
    assert.deepEqual(sums(), {
      byRepository: [
        ['orchard/shop', '', 3, 135],
        ['notes', '', 1, 45],
      ],
      byBranch: [
        ['orchard/shop', 'feature/totals', 2, 90],
        ['notes', '', 1, 45],
        ['orchard/shop', 'main', 1, 45],
      ],
    });
  });

  it('never mix sample money with real money', () => {
    write(entry(SHOP), entry({ ...SHOP, upstream: 'sandbox' }), entry({ ...SHOP, upstream: 'sandbox' }));
    assert.deepEqual(sums().byBranch, [['orchard/shop', 'feature/totals', 1, 45]]);
    assert.deepEqual(sums({ ...SCOPE, ofSandbox: true }).byBranch, [['orchard/shop', 'feature/totals', 2, 90]]);
  });

  it('contain the tokens of failed attempts, and what is not certain', () => {
    const usage = { inputTokens: 10, outputTokens: 1 };
    const attempt = { upstream: 'other', model: 'familya-opus', at: NOON, durationMs: 1, usage, cost: 0.5 };
    write(
      entry({ ...SHOP, cost: 504_500_000, attempts: [attempt] }),
      entry({ ...SHOP, usageIsEstimated: true, usageBound: 'visible' }),
      entry({ ...SHOP, prices: {} }),
    );
    const [row] = read((reader) => reader.usageSessions(SCOPE)).byBranch;
    assert.deepEqual([row?.inputTokens, row?.outputTokens], [3010, 301]);
    assert.deepEqual([row?.exchanges, row?.estimated, row?.unpriced], [3, 1, 1]);
    assert.equal(row?.cost, 0.509);
    assert.equal(row?.unconfirmed, COST);
  });

  it('of one branch reach back over all periods', () => {
    write(entry({ ...SHOP, at: NOON - 40 * DAY }), entry(SHOP), entry({ ...SHOP, branch: 'main' }));
    const { repository, branch } = SHOP;
    const cost = read((reader) => reader.branchCost({ repository, branch, ofSandbox: false }));
    assert.deepEqual([cost.at, cost.exchanges, cost.cost], [NOON - 40 * DAY, 2, 2 * COST]);
    const none = read((reader) => reader.branchCost({ repository, ofSandbox: false }));
    assert.deepEqual([none.at, none.exchanges, none.cost], [0, 0, 0]);
  });

  it('find a name that was cut or redacted in the ledger by its whole', () => {
    const branch = `sk-${'a'.repeat(40)}/${'b'.repeat(300)}`;
    write(entry({ ...SHOP, branch }));
    const cost = read((reader) => reader.branchCost({ repository: SHOP.repository, branch, ofSandbox: false }));
    assert.equal(cost.exchanges, 1);
    const [[, stored] = []] = sums().byBranch;
    assert.ok(String(stored).length <= 200 && !String(stored).includes('aaaa'), String(stored));
  });

  it('use an index that has only requests with a repository', () => {
    write(entry(SHOP), entry({ at: NOON }));
    const database = new DatabaseSync(path, { readOnly: true });
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN SELECT count(*) FROM exchanges WHERE repository = 'a' AND branch IS 'b' AND at > 1`)
      .all();
    const { sql } = { ...database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'exchanges_by_branch'`).get() };
    database.close();
    assert.match(String(plan[0]?.detail), /exchanges_by_branch/);
    assert.match(String(sql), /WHERE repository IS NOT NULL/);
  });

  it('are answered by the reading thread', async () => {
    write(entry(SHOP));
    const thread = new LedgerThread(() => undefined);
    try {
      const asks = { ledger: path, repository: SHOP.repository, branch: SHOP.branch, ofSandbox: false };
      const { answer } = await thread.read({ name: 'branchCost', asks });
      assert.deepEqual(answer, {
        at: NOON,
        exchanges: 1,
        unpriced: 0,
        estimated: 0,
        inputTokens: 1000,
        outputTokens: 100,
        cost: COST,
        cacheSaving: 0,
      });
    } finally {
      await thread.close();
    }
  });

  it('contain a request whose editor ended while it ran', () => {
    const calls = new CallLedger(assert.fail);
    calls.begin(path, entry(SHOP));
    calls.flush();
    calls.close();
    const database = new DatabaseSync(path);
    const { changes } = database.prepare('UPDATE running SET seen_at = 0').run();
    database.close();
    assert.equal(changes, 1);
    read((reader) => reader.enterLost());
    assert.deepEqual(sums().byBranch, [['orchard/shop', 'feature/totals', 1, 45]]);
  });
});
