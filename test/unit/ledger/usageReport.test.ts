import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayOf } from '../../../src/display/day.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { DEFAULT_RETENTION } from '../../../src/ledger/retention.ts';
import type { UsagePeriod, UsageReport } from '../../../src/ledger/usage.ts';
import { runs } from '../../support/randomRuns.ts';
import { entry } from './entries.ts';
import { emptyLedger, ledgerPath, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;
const NOVEMBER: UsagePeriod = { first: '2026-11-01', last: '2026-11-30' };
const HOSTED = { id: 'abc', upstream: 'hosted' };

describe('the usage report', () => {
  afterEach(removeFolders);

  function written(entries: readonly LedgerEntry[], isSummarized = false): string {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.flush();
    if (isSummarized) ledger.prune();
    ledger.close();
    return path;
  }

  function reportOf(path: string, period = NOVEMBER, ofSandbox = false, now = NOON): UsageReport {
    const reader = new LedgerReader(path);
    try {
      return reader.usage({ period, ofSandbox }, HOSTED, now);
    } finally {
      reader.close();
    }
  }

  it('is empty for a ledger that does not exist', () => {
    const report = reportOf(ledgerPath());
    assert.equal(report.totals.exchanges, 0);
    assert.deepEqual([report.models, report.moments, report.firstByte], [[], [], undefined]);
    assert.deepEqual(report.pace, { days: 0, cost: 0 });
  });

  it('counts as failed what the list of requests has as failed, whatever the ends and statuses', () => {
    const ends = ['completed', 'clientLeft', 'upstreamFailed', 'refused', 'budget', 'cancelled', 'lost'] as const;
    const entries = ends.flatMap((end) =>
      [200, 404, 429, 500, undefined].map((status) => {
        const { status: _, ...ended } = entry({ at: NOON, end });
        return status === undefined ? ended : { ...ended, status };
      }),
    );
    for (const isSummarized of [false, true]) {
      const path = written(entries, isSummarized);
      const reader = new LedgerReader(path);
      const listed = reader.exchanges({ filter: { outcome: 'failed' }, limit: 100 }).rows.length;
      reader.close();
      assert.deepEqual([reportOf(path).totals.failed, listed], [13, 13]);
    }
  });

  it('distinguishes days, models, and callers', () => {
    const report = reportOf(
      written([
        entry({ at: NOON, localKeyId: 'aider' }),
        entry({ at: NOON - DAY, model: 'familyc-5.4', source: 'chatPanel', conversationId: 'c1', localKeyId: '' }),
        entry({ at: NOON, source: 'chatPanel', conversationId: 'c1', end: 'upstreamFailed' }),
      ]),
    );
    assert.deepEqual(
      report.moments.map(({ time, exchanges, failed }) => [time, exchanges, failed]),
      [
        ['2026-11-19', 1, 0],
        ['2026-11-20', 2, 1],
      ],
    );
    assert.deepEqual(
      report.models.map(({ name, exchanges }) => [name, exchanges]),
      [
        ['familya-sonnet-4.6', 2],
        ['familyc-5.4', 1],
      ],
    );
    assert.deepEqual(
      report.callers.map(({ source, localKeyId, exchanges }) => [source, localKeyId, exchanges]).sort(),
      [
        ['chatPanel', '', 1],
        ['chatPanel', 'terminal', 1],
        ['gateway', 'aider', 1],
      ],
    );
  });

  it('has one bar for a single day whose requests were removed, with the sums of the day', () => {
    const path = written([entry({ at: NOON }), entry({ at: NOON + DAY })], true);
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, maxBytes: 1 } });
    ledger.prune();
    ledger.append(entry({ at: NOON + DAY }));
    ledger.close();
    const day = (time: string) => reportOf(path, { first: time, last: time });
    const { unit, totals, moments } = day('2026-11-20');
    assert.deepEqual([unit, totals.exchanges, moments.map(({ time }) => time)], ['day', 1, ['2026-11-20']]);
    assert.ok(totals.cost > 0);
    const partlyKept = day('2026-11-21');
    assert.deepEqual([partlyKept.unit, partlyKept.totals.exchanges], ['day', 2]);
    assert.equal(day('2026-11-22').unit, 'hour');
  });

  describe('in a time zone where a day has no midnight', () => {
    const zone = process.env.TZ;
    before(() => {
      process.env.TZ = 'Africa/Cairo';
    });
    after(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });

    it('distinguishes the day before from it', () => {
      const at = new Date(2026, 3, 23, 23, 30).getTime();
      const path = written([entry({ at: at + DAY / 2 }), entry({ at }), entry({ at: at + DAY })], true);
      const { moments } = reportOf(path, { first: '2026-04-20', last: '2026-04-30' });
      assert.deepEqual(
        moments.map(({ time, exchanges }) => [time, exchanges]),
        [
          ['2026-04-23', 1],
          ['2026-04-24', 1],
          ['2026-04-25', 1],
        ],
      );
    });
  });

  it('has hours for a single day, and weeks by their Mondays for a long period', () => {
    const path = written([entry({ at: NOON }), entry({ at: NOON + 61 * 60 * 1000 + 7 })]);
    const hours = reportOf(path, { first: '2026-11-20', last: '2026-11-20' });
    assert.equal(hours.unit, 'hour');
    assert.deepEqual(
      hours.moments.map(({ time }) => time),
      ['2026-11-20T12', '2026-11-20T13'],
    );
    const long = written([entry({ at: NOON }), entry({ at: NOON - 200 * DAY })]);
    const weeks = reportOf(long, { first: '2026-01-01', last: '2026-11-30' });
    assert.equal(weeks.unit, 'week');
    assert.deepEqual(
      weeks.moments.map(({ time, exchanges }) => [time, exchanges]),
      [
        ['2026-05-04', 1],
        ['2026-11-16', 1],
      ],
    );
  });

  it('begins with the first request of all, and with its hour on the first day', () => {
    const sandbox = entry({ at: NOON - 9 * DAY, upstream: 'sandbox' });
    for (const isSummarized of [false, true]) {
      const path = written([entry({ at: NOON - 2 * DAY }), entry({ at: NOON }), sandbox], isSummarized);
      assert.deepEqual(reportOf(path).period, { first: '2026-11-18', last: '2026-11-30' });
      assert.deepEqual(reportOf(path, NOVEMBER, true).period, { first: '2026-11-11', last: '2026-11-30' });
      const firstDay = reportOf(path, { first: '2026-10-20', last: '2026-11-18' });
      assert.deepEqual([firstDay.unit, firstDay.period.first, firstDay.totals.exchanges], ['hour', '2026-11-18', 1]);
      assert.equal(reportOf(path, { first: '2026-11-20', last: '2026-11-22' }).period.first, '2026-11-20');
      assert.equal(reportOf(path, { first: '2026-10-01', last: '2026-10-09' }).totals.exchanges, 0);
    }
  });

  it('counts tokens without a price, and assumes no cost', () => {
    const { prices: _, ...unpriced } = entry({ at: NOON });
    const { totals } = reportOf(written([unpriced, entry({ at: NOON })]));
    assert.equal(totals.unpriced, 1);
    assert.equal(totals.inputTokens, 2000);
    assert.equal(totals.cost, 0.0045);
  });

  it('reports the estimate error of a model, as of its last request', () => {
    const estimated = (error: number, reports: number, model = 'a') =>
      entry({ at: NOON, model, usageIsEstimated: true, estimateAccuracy: { error, reports } });
    const path = written([
      estimated(0.2, 3),
      estimated(0.04, 50),
      estimated(0.1, 9, 'b'),
      entry({ at: NOON, model: 'c' }),
    ]);
    assert.deepEqual(
      reportOf(path)
        .models.map(({ name, accuracy }) => [name, accuracy])
        .sort(),
      [
        ['a', { error: 0.04, reports: 50 }],
        ['b', { error: 0.1, reports: 9 }],
        ['c', undefined],
      ],
    );
  });

  it('says how many requests of the period are in none of its sums, so that it agrees with a list of all', () => {
    const sandbox = Array.from({ length: 3 }, () => entry({ at: NOON, upstream: 'sandbox', model: 'sample' }));
    const path = written([entry({ at: NOON }), ...sandbox, entry({ at: NOON - 40 * DAY, upstream: 'sandbox' })]);
    const counts = ({ totals, notCounted }: UsageReport) => [totals.exchanges, notCounted];
    assert.deepEqual(counts(reportOf(path)), [1, 3]);
    assert.deepEqual(counts(reportOf(path, NOVEMBER, true)), [3, 1]);
  });

  it('separates the answers of the sandbox', () => {
    const path = written([entry({ at: NOON }), entry({ at: NOON, upstream: 'sandbox', model: 'sample' })]);
    assert.deepEqual(
      [reportOf(path), reportOf(path, NOVEMBER, true)].map(({ models }) => models.map(({ name }) => name)),
      [['familya-sonnet-4.6'], ['sample']],
    );
    assert.equal(reportOf(path, NOVEMBER, true).firstByte?.exchanges, 1);
  });

  it('reports the time to the first byte within five percent', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => entry({ at: NOON, firstByteMs: index + 1 }));
    const { firstByte } = reportOf(written(entries));
    assert.ok(firstByte !== undefined);
    assert.ok(Math.abs(firstByte.median - 500) < 25, `median ${firstByte.median}`);
    assert.ok(Math.abs(firstByte.p95 - 950) < 48, `p95 ${firstByte.p95}`);
    assert.equal(
      firstByte.bars.reduce((sum, { exchanges }) => sum + exchanges, 0),
      1000,
    );
  });

  it('reports the pace of the account’s upstream since its first cost', () => {
    const path = written([
      entry({ at: NOON - 3 * DAY }),
      entry({ at: NOON }),
      entry({ at: NOON - 5 * DAY, upstream: 'sandbox' }),
      entry({ at: NOON - 40 * DAY }),
    ]);
    assert.deepEqual(reportOf(path).pace, { days: 3.5, cost: 0.009 });
  });

  it('is the same whether its days are summed or not, and equals the sum of the exchanges', () => {
    const sources = ['gateway', 'chatPanel', 'nativeChat', 'command'] as const;
    const entries = fc.array(
      fc.record({
        age: fc.integer({ min: 0, max: 60 * 24 }),
        model: fc.constantFrom('a', 'b', 'c'),
        source: fc.constantFrom(...sources),
        end: fc.constantFrom('completed', 'clientLeft', 'upstreamFailed'),
        inputTokens: fc.nat(1_000_000),
        outputTokens: fc.nat(100_000),
        isPriced: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(entries, (drawn) => {
        const given = drawn.map(({ age, inputTokens, outputTokens, isPriced, ...rest }) => {
          const { prices, ...made } = entry({
            ...rest,
            at: NOON - age * 60 * 60 * 1000,
            usage: { inputTokens, outputTokens },
          });
          return isPriced && prices !== undefined ? { ...made, prices } : made;
        });
        const [plain, summarised] = [reportOf(written(given)), reportOf(written(given, true))];
        assert.deepEqual(summarised, plain);
        const inPeriod = given.filter(({ at }) => dayOf(at) >= NOVEMBER.first);
        assert.equal(plain.totals.exchanges, inPeriod.length);
        assert.equal(
          plain.totals.inputTokens,
          inPeriod.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
        );
        for (const groups of [plain.moments, plain.models, plain.callers, plain.spends]) {
          const cost = groups.reduce((sum, group) => sum + Math.round(group.cost * 1e9), 0);
          assert.equal(cost, Math.round(plain.totals.cost * 1e9));
        }
        removeFolders();
      }),
      { numRuns: runs(5) },
    );
  });

  it('keeps the sums of exchanges that were removed because the file was too large', () => {
    const path = written([entry({ at: NOON }), entry({ at: NOON })]);
    const before = reportOf(path);
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, maxBytes: 1 } });
    ledger.prune();
    assert.deepEqual(reportOf(path), before);
    ledger.append(entry({ at: NOON }));
    ledger.close();
    assert.equal(reportOf(path).totals.exchanges, 3);
  });
});
