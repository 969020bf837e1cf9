import assert from 'node:assert/strict';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const MINUTE = 60_000;
const HOSTED = { id: 'abc', upstream: 'hosted' };
const NOVEMBER = { period: { first: '2026-11-01', last: '2026-11-30' }, ofSandbox: false };

describe('the reconciliation of balance readings', () => {
  let path: string;
  let ledger: Ledger;

  beforeEach(() => {
    path = emptyLedger();
    ledger = new Ledger({ path });
  });
  afterEach(() => {
    ledger.close();
    removeFolders();
  });

  const read = (minute: number, remaining: number, account = HOSTED) =>
    ledger.writeReading({ account, at: NOON + minute * MINUTE, remaining });
  /** Appends an exchange that ends in this minute and costs $0.0045. */
  const spend = (minute: number, members: Partial<Parameters<typeof entry>[0]> = {}) =>
    ledger.append(entry({ at: NOON + minute * MINUTE - 100, ...members }));
  const reconciled = () => {
    const reader = new LedgerReader(path);
    const { reconciliation } = reader.usage(NOVEMBER, HOSTED, NOON);
    reader.close();
    return reconciliation;
  };

  it('is undefined before there are two', () => {
    read(0, 10);
    assert.equal(reconciled(), undefined);
  });

  it('compares them with what was recorded for the same time and upstream', () => {
    spend(-5);
    read(0, 10);
    spend(1);
    spend(2, { upstream: 'local' });
    spend(3, { usageIsEstimated: true });
    read(5, 9.99);
    spend(6);
    assert.deepEqual(reconciled(), {
      from: NOON,
      to: NOON + 5 * MINUTE,
      readings: 2,
      drawn: 0.01,
      recorded: 0.009,
      unpriced: 0,
      estimated: 1,
      topUps: 0,
    });
  });

  it('counts an exchange at its end, when it is charged', () => {
    read(0, 10);
    ledger.append(entry({ at: NOON + MINUTE, durationMs: 3 * MINUTE }));
    read(2, 9.9);
    assert.equal(reconciled()?.recorded, 0);
    read(5, 9.8);
    assert.equal(reconciled()?.recorded, 0.0045);
  });

  it('reports exchanges without a price', () => {
    read(0, 10);
    const { prices: _, ...unpriced } = entry({ at: NOON + MINUTE });
    ledger.append(unpriced);
    read(2, 9.9);
    assert.deepEqual([reconciled()?.unpriced, reconciled()?.recorded], [1, 0]);
  });

  it('omits the time in which credit was added', () => {
    read(0, 10);
    spend(1);
    read(2, 20);
    spend(3);
    read(4, 19.9);
    const { drawn, recorded, topUps } = reconciled() ?? {};
    assert.deepEqual([drawn, recorded, topUps], [0.1, 0.0045, 1]);
  });

  it('restarts after another key was in use', () => {
    read(0, 10);
    read(1, 5, { id: 'other', upstream: 'hosted' });
    spend(2);
    read(3, 9);
    assert.equal(reconciled(), undefined);
    spend(4);
    read(5, 8.9);
    assert.deepEqual([reconciled()?.drawn, reconciled()?.recorded], [0.1, 0.0045]);
  });

  it('counts a reading once if several windows report it', () => {
    read(0, 10);
    read(1, 9);
    read(2, 9);
    read(1, 9.5);
    assert.equal(reconciled()?.readings, 2);
  });

  describe('of which one is an upper bound', () => {
    const BOUND = { usageIsEstimated: true, usageBound: 'time' } as const;
    const costs = () => {
      ledger.flush();
      const reader = new LedgerReader(path);
      const { totals } = reader.usage(NOVEMBER, undefined, NOON);
      const uncertain = reader.uncertainOf('terminal', 0);
      reader.close();
      return { cost: totals.cost, unconfirmed: totals.unconfirmed, ofKey: uncertain.unconfirmed };
    };

    it('replaces it by what was charged, also in the daily sums', () => {
      read(0, 10);
      spend(1);
      spend(2, BOUND);
      assert.deepEqual(costs(), { cost: 0.009, unconfirmed: 0.0045, ofKey: 4_500_000 });
      ledger.prune();
      read(3, 9.994_000_001);
      assert.deepEqual(costs(), { cost: 0.005_999_999, unconfirmed: undefined, ofKey: 0 });
      assert.equal(reconciled()?.recorded, 0.005_999_999);
    });

    it('is never below what was charged if the balance is rounded', () => {
      read(0, 10);
      spend(1, BOUND);
      read(2, 9.999);
      assert.equal(costs().cost, 0.002);
    });

    for (const [what, change] of Object.entries<() => number>({
      'if there are two': () => {
        spend(1, BOUND);
        spend(2, BOUND);
        return 9.999;
      },
      'if more was charged than recorded, because others use the key': () => {
        spend(1, BOUND);
        return 9.9;
      },
      'if less was charged than the others cost': () => {
        spend(1, BOUND);
        spend(2);
        return 9.999;
      },
      'while another request is running': () => {
        spend(1, BOUND);
        ledger.begin('running', () => entry({ id: 'running', at: NOON }));
        return 9.999;
      },
    })) {
      it(`keeps it ${what}`, () => {
        read(0, 10);
        const remaining = change();
        const before = costs();
        read(3, remaining);
        assert.deepEqual(costs(), before);
      });
    }
  });
});
