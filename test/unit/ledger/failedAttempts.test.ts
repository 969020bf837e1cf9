import assert from 'node:assert/strict';
import { dayOf } from '../../../src/display/day.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import type { UpstreamAttempt } from '../../../src/ledger/upstreamAttempt.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const AT = new Date(2026, 10, 21, 12).getTime();
const FAILED: UpstreamAttempt = {
  upstream: 'vendor',
  model: 'sonnet',
  at: AT,
  durationMs: 40,
  status: 500,
  failure: 'server',
  usage: { inputTokens: 900, outputTokens: 20, cachedInputTokens: 300, cacheWriteTokens: 100 },
  usageIsEstimated: true,
  cost: 0.003,
};
const ANSWERED: UpstreamAttempt = { upstream: 'hosted', model: 'm', at: AT + 40, durationMs: 60, status: 200 };
/**
 * In billionths of a US dollar: 1,000 input and 100 output tokens at the default prices of an entry, and the attempt.
 */
const [OWN, FAILED_COST] = [4_500_000, 3_000_000];

describe('a failed attempt that was billed', () => {
  let path: string;
  let reader: LedgerReader;

  beforeEach(() => {
    path = emptyLedger();
  });
  afterEach(() => {
    reader.close();
    removeFolders();
  });

  const write = (isSummarized: boolean) => {
    const ledger = new Ledger({ path, retention: { maxAgeMs: Number.MAX_SAFE_INTEGER, maxBytes: 1e9 } });
    const route = { name: 'coding', rule: 2, when: { tool: 'web_search' } };
    const attempts = [FAILED, ANSWERED];
    ledger.append(entry({ at: AT, sessionId: 's', attempts, route, cost: OWN + FAILED_COST }));
    ledger.flush();
    if (isSummarized) ledger.prune();
    ledger.close();
    reader = new LedgerReader(path);
  };

  for (const isSummarized of [false, true]) {
    for (const [what, own] of [
      ['its own', { attempts: [{ ...FAILED, cost: undefined }, ANSWERED], cost: OWN }],
      ['that of the answer', { attempts: [FAILED, ANSWERED], prices: undefined, cost: FAILED_COST }],
      [
        'its own, and nothing else was used,',
        { attempts: [{ ...FAILED, cost: undefined }], usage: undefined, cost: undefined },
      ],
    ] as const) {
      it(`counts as a request without a price if ${what} is unknown, ${isSummarized ? 'in' : 'behind'} the sums of days`, () => {
        const ledger = new Ledger({ path, retention: { maxAgeMs: Number.MAX_SAFE_INTEGER, maxBytes: 1e9 } });
        ledger.append(JSON.parse(JSON.stringify({ ...entry({ at: AT }), ...own })) as LedgerEntry);
        ledger.append(entry({ at: AT, attempts: [FAILED, ANSWERED], cost: OWN + FAILED_COST }));
        const { prices: _, ...reported } = entry({ at: AT, attempts: [FAILED, ANSWERED], cost: OWN + FAILED_COST });
        ledger.append({ ...reported, usage: { inputTokens: 1_000, outputTokens: 100, reportedCost: OWN / 1e9 } });
        ledger.flush();
        if (isSummarized) ledger.prune();
        ledger.close();
        reader = new LedgerReader(path);
        const period = { first: dayOf(AT), last: dayOf(AT) };
        assert.equal(reader.usage({ period, ofSandbox: false }).totals.unpriced, 1);
      });
    }

    describe(isSummarized ? 'in the sums of days' : 'behind the sums of days', () => {
      beforeEach(() => write(isSummarized));

      it('counts toward its own upstream', () => {
        assert.equal(reader.spentSince('hosted', dayOf(AT)), OWN);
        assert.equal(reader.spentSince('vendor', dayOf(AT)), FAILED_COST);
        const period = { first: dayOf(AT), last: dayOf(AT) };
        const lines = reader.usageLines({ period, ofSandbox: false });
        assert.deepEqual(
          lines.map(({ upstream, exchanges, inputTokens, cost }) => [upstream, exchanges, inputTokens, cost]),
          [
            ['hosted', 1, 1000, 0.0045],
            ['vendor', 0, 900, 0.003],
          ],
        );
      });

      it('counts toward its session, with its tokens', () => {
        const filter = { sessionId: 's' };
        const [session] = reader.sessions({ filter, limit: 1 }).sessions;
        assert.deepEqual([session?.inputTokens, session?.outputTokens, session?.cost], [1900, 120, 0.0075]);
        assert.deepEqual([session?.cachedInputTokens, session?.cacheWriteTokens], [300, 100]);
      });

      it('counts toward the key, with its tokens', () => {
        assert.deepEqual(reader.spentBy('terminal', 0), { inputTokens: 1900, outputTokens: 120, cost: 7_500_000 });
        assert.equal(reader.uncertainOf('terminal', 0).estimated, 1);
      });
    });
  }

  it('is in the row, and included in its cost', () => {
    write(false);
    const [row] = reader.exchanges({ filter: {}, limit: 1 }).rows;
    assert.deepEqual([row?.cost, row?.usageIsEstimated], [0.0075, true]);
    assert.deepEqual(row?.usage, { inputTokens: 1000, outputTokens: 100 });
    assert.deepEqual(row?.attempts, [FAILED, ANSWERED]);
    assert.deepEqual(row?.route, { name: 'coding', rule: 2, when: { tool: 'web_search' } });
  });

  it('is included in the cost of an entry that only has prices, such as one of a request that is running', () => {
    const ledger = new Ledger({ path, retention: { maxAgeMs: Number.MAX_SAFE_INTEGER, maxBytes: 1e9 } });
    ledger.append(entry({ at: AT, attempts: [FAILED, ANSWERED] }));
    ledger.close();
    reader = new LedgerReader(path);
    assert.equal(reader.exchanges({ filter: {}, limit: 1 }).rows[0]?.cost, 0.0075);
  });

  it('still counts toward the key after its row is removed', () => {
    write(true);
    const ledger = new Ledger({ path, retention: { maxAgeMs: 1, maxBytes: 1e9 } });
    ledger.prune();
    assert.deepEqual(ledger.spentBy('terminal', 0), { inputTokens: 1900, outputTokens: 120, cost: 7_500_000 });
    ledger.close();
  });
});
