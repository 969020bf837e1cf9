import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LedgerEntry } from '../../../../src/gateway/core/ledgerEntry.ts';
import { Ledger } from '../../../../src/gateway/ledger/ledger.ts';
import { LedgerReader } from '../../../../src/gateway/ledger/ledgerReader.ts';
import type { Dimension, SpendRow } from '../../../../src/gateway/ledger/spend.ts';
import { runs } from '../../../support/randomRuns.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };
const COST_OF_ONE = 4_500_000;

/** Returns noon of a day in November 2026, in the machine's time zone. */
const noon = (day: number) => new Date(2026, 10, day, 12).getTime();

describe('the sums of the ledger', () => {
  let reader: LedgerReader | undefined;

  afterEach(() => {
    reader?.close();
    reader = undefined;
    removeFolders();
  });

  const filled = (entries: readonly LedgerEntry[]): LedgerReader => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
    reader?.close();
    reader = new LedgerReader(path);
    return reader;
  };

  it('are grouped by day in the time zone of the machine', () => {
    const lastMoment = new Date(2026, 10, 21).getTime() - 1;
    const ledger = filled([
      entry({ at: noon(20) }),
      entry({ at: lastMoment }),
      entry({ at: lastMoment + 1 }),
      entry({ at: noon(23) }),
    ]);
    const days = ledger.spend(ALWAYS, ['day']).map(({ day, exchanges, cost }) => [day, exchanges, cost]);
    assert.deepEqual(days, [
      ['2026-11-20', 2, 2 * COST_OF_ONE],
      ['2026-11-21', 1, COST_OF_ONE],
      ['2026-11-23', 1, COST_OF_ONE],
    ]);
  });

  it('are grouped by several dimensions at once, and by missing values', () => {
    const ledger = filled([
      entry({ model: 'a', client: 'curl' }),
      entry({ model: 'a', client: 'curl' }),
      entry({ model: 'b', client: 'codex_exec' }),
      { id: 'req_panel', at: noon(20), source: 'chatPanel', durationMs: 5, end: 'completed', model: 'b' },
    ]);
    const found = ledger.spend(ALWAYS, ['model', 'client', 'source', 'localKey']);
    assert.deepEqual(
      found.map(({ model, client, source, localKey, exchanges }) => [model, client, source, localKey, exchanges]),
      [
        ['a', 'curl', 'gateway', 'terminal', 2],
        ['b', null, 'chatPanel', null, 1],
        ['b', 'codex_exec', 'gateway', 'terminal', 1],
      ],
    );
  });

  it('are grouped by upstream, format, and end', () => {
    const ledger = filled([entry(), entry({ end: 'budget', upstream: 'local', callerFormat: 'responses' })]);
    for (const [dimension, values] of [
      ['upstream', ['hosted', 'local']],
      ['format', ['messages', 'responses']],
      ['end', ['budget', 'completed']],
    ] as const) {
      assert.deepEqual(
        ledger.spend(ALWAYS, [dimension]).map((row) => Object(row)[dimension]),
        values,
      );
    }
  });

  it('cover the period, without its end', () => {
    const ledger = filled([entry({ at: 999 }), entry({ at: 1000 }), entry({ at: 1999 }), entry({ at: 2000 })]);
    assert.equal(ledger.spend({ from: 1000, to: 2000 }, [])[0]?.exchanges, 2);
    assert.deepEqual(ledger.spend({ from: 5000, to: 6000 }, ['model']), []);
    assert.equal(ledger.spend({ from: 5000, to: 6000 }, [])[0]?.cost, 0);
  });

  it('include the number of exchanges with tokens of unknown price', () => {
    const { prices: _, ...unpriced } = entry();
    const { usage: __, ...refused } = entry({ end: 'refused' });
    const [totals] = filled([entry(), unpriced, refused]).spend(ALWAYS, []);
    assert.deepEqual([totals?.exchanges, totals?.unpriced, totals?.cost], [3, 1, COST_OF_ONE]);
  });

  it('do not overflow', () => {
    const usage = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 0 };
    const [totals] = filled([entry({ usage }), entry({ usage }), entry({ usage })]).spend(ALWAYS, []);
    assert.equal(totals?.inputTokens, 3 * Number.MAX_SAFE_INTEGER);
  });

  it('equal the result of adding up one by one', () => {
    const dimensions = fc.subarray<Dimension>([
      'day',
      'source',
      'localKey',
      'client',
      'model',
      'upstream',
      'format',
      'end',
    ]);
    const entries = fc.array(someEntry, { maxLength: 40 });
    fc.assert(
      fc.property(entries, dimensions, fc.integer({ min: 1, max: 30 }), (all, by, firstDay) => {
        const period = { from: noon(firstDay), to: noon(31) };
        const wanted = addedUp(
          all.filter(({ at }) => at >= period.from && at < period.to),
          by,
        );
        assert.deepEqual(new Set(filled(all).spend(period, by).map(comparable(by))), new Set(wanted));
        removeFolders();
      }),
      { numRuns: runs(10) },
    );
  });
});

const someEntry = fc
  .record({
    day: fc.integer({ min: 1, max: 30 }),
    model: fc.constantFrom('a', 'b', undefined),
    client: fc.constantFrom('curl', 'codex_exec', undefined),
    localKeyId: fc.constantFrom('one', 'two', undefined),
    source: fc.constantFrom('gateway', 'command'),
    end: fc.constantFrom('completed', 'clientLeft'),
    inputTokens: fc.nat({ max: 200_000 }),
    outputTokens: fc.nat({ max: 32_000 }),
    inputPrice: fc.constantFrom(0.075, 3, 1.75),
  })
  .map(({ day, inputTokens, outputTokens, inputPrice, ...members }): LedgerEntry => {
    const { model: _, client: __, localKeyId: ___, ...rest } = entry();
    const known = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
    const prices = { inputPrice, outputPrice: 15 };
    return { ...rest, ...known, at: noon(day), usage: { inputTokens, outputTokens }, prices };
  });

/** Adds up the entries independently of SQL, each group as one text. Without dimensions there is always one group. */
function addedUp(entries: readonly LedgerEntry[], by: readonly Dimension[]): string[] {
  const groups = new Map<string, [exchanges: number, tokens: number, cost: number]>();
  if (by.length === 0) groups.set('', [0, 0, 0]);
  for (const each of entries) {
    const day = new Date(each.at);
    const values: Readonly<Record<Dimension, string | undefined>> = {
      day: `2026-11-${String(day.getDate()).padStart(2, '0')}`,
      source: each.source,
      localKey: each.localKeyId,
      client: each.client,
      model: each.model,
      upstream: each.upstream,
      format: each.callerFormat,
      end: each.end,
    };
    const name = by.map((dimension) => values[dimension] ?? null).join();
    const [exchanges, tokens, cost] = groups.get(name) ?? [0, 0, 0];
    const { inputTokens = 0, outputTokens = 0 } = each.usage ?? {};
    const thousandths = Math.round((each.prices?.inputPrice ?? 0) * 1000);
    groups.set(name, [
      exchanges + 1,
      tokens + inputTokens + outputTokens,
      cost + inputTokens * thousandths + outputTokens * 15_000,
    ]);
  }
  return [...groups].map(([name, sums]) => `${name}: ${sums.join()}`);
}

function comparable(by: readonly Dimension[]) {
  return (row: SpendRow<Dimension>): string => {
    const name = by.map((dimension) => row[dimension]).join();
    return `${name}: ${[row.exchanges, row.inputTokens + row.outputTokens, row.cost].join()}`;
  };
}
