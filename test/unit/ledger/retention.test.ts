import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { DEFAULT_RETENTION, type Retention } from '../../../src/ledger/retention.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const COST_OF_ONE = 4_500_000;
const HOUR = 60 * 60 * 1000;

describe('the retention of the ledger', () => {
  afterEach(removeFolders);

  /** Appends one exchange per minute, the last one a minute ago. */
  const filled = (path: string, exchanges: number): Ledger => {
    const ledger = new Ledger({ path });
    for (let age = exchanges; age > 0; age -= 1) ledger.append(entry({ at: Date.now() - age * 60_000 }));
    ledger.flush();
    return ledger;
  };

  const pruned = (path: string, retention: Partial<Retention>): void => {
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, ...retention } });
    ledger.prune();
    ledger.close();
  };

  const kept = (path: string) => {
    const reader = new LedgerReader(path);
    const { exchanges } = reader.exchanges({ filter: {}, limit: 0 });
    const spent = reader.spentBy('terminal', 0);
    reader.close();
    return { exchanges, spent };
  };

  it('removes entries that are too old', () => {
    const path = emptyLedger();
    filled(path, 2500).close();
    pruned(path, { maxAgeMs: 10 * HOUR + 30_000 });
    assert.equal(kept(path).exchanges, 600);
  });

  it('removes the oldest entries above the size limit, and shrinks the file', () => {
    const path = emptyLedger();
    filled(path, 5000).close();
    const before = statSync(path).size;
    pruned(path, { maxBytes: before / 2 });
    const { exchanges } = kept(path);
    assert.ok(statSync(path).size <= before / 2);
    assert.ok(exchanges >= 1000 && exchanges <= 3000, `${exchanges} are left`);
    const reader = new LedgerReader(path);
    assert.equal(
      reader.exchanges({ filter: { from: Date.now() - exchanges * 60_000 - 30_000 }, limit: 0 }).exchanges,
      exchanges,
    );
    reader.close();
  });

  it('removes what the oldest requests consisted of before their rows', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    const parts = Array.from({ length: 20 }, (_, at) => ({ kind: 'tools' as const, name: `${at} ${'x'.repeat(200)}` }));
    const measured = { parts, order: parts.flatMap((_, at) => [at, 50]), isWhole: true };
    for (let age = 3000; age > 0; age -= 1) {
      const each = entry({ at: Date.now() - age * 60_000 });
      ledger.append(each);
      ledger.addContext(each, measured);
    }
    ledger.flush();
    ledger.close();
    pruned(path, { maxBytes: statSync(path).size / 2 });
    assert.equal(kept(path).exchanges, 3000);
    const reader = new LedgerReader(path);
    const { rows } = reader.exchanges({ filter: {}, limit: 3000 });
    const hasContext = rows.map((row) => reader.requestContext(row) !== undefined);
    reader.close();
    // The latest first.
    const first = hasContext.indexOf(false);
    assert.ok(first >= 500 && first <= 2000, `${first} are left`);
    assert.ok(!hasContext.slice(first).includes(true));
  });

  it('ends even if the file cannot be made small enough', () => {
    const path = emptyLedger();
    filled(path, 10).close();
    pruned(path, { maxBytes: 1 });
    assert.equal(kept(path).exchanges, 0);
  });

  it('keeps entries within both limits', () => {
    const path = emptyLedger();
    filled(path, 100).close();
    pruned(path, {});
    assert.equal(kept(path).exchanges, 100);
  });

  it('keeps what budgets have to count', () => {
    const path = emptyLedger();
    filled(path, 2500).close();
    const whole = { inputTokens: 2_500_000, outputTokens: 250_000, cost: 2500 * COST_OF_ONE };
    assert.deepEqual(kept(path).spent, whole);
    pruned(path, { maxAgeMs: 20 * HOUR });
    pruned(path, { maxAgeMs: HOUR });
    pruned(path, { maxBytes: 1 });
    assert.deepEqual(kept(path), { exchanges: 0, spent: whole });
  });

  it('still reports that removed entries contained estimates', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, maxBytes: 1 } });
    for (const usageIsEstimated of [true, false, true]) ledger.append(entry({ usageIsEstimated }));
    ledger.flush();
    ledger.prune();
    ledger.close();
    const reader = new LedgerReader(path);
    assert.equal(reader.uncertainOf('terminal', 0).estimated, 2);
    reader.close();
  });

  it('keeps the spending of a day when earlier days are removed', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, maxBytes: 1 } });
    const midnight = new Date(2026, 10, 21).getTime();
    ledger.append(entry({ at: midnight - 1 }));
    ledger.append(entry({ at: midnight }));
    ledger.flush();
    ledger.prune();
    assert.equal(ledger.spentBy('terminal', midnight).cost, COST_OF_ONE);
    assert.equal(ledger.spentBy('terminal', 0).cost, 2 * COST_OF_ONE);
    ledger.close();
  });

  it('does not count a removed exchange as a new one of its key', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path, retention: { ...DEFAULT_RETENTION, maxBytes: 1 } });
    ledger.append(entry({ localKeyId: 'one' }));
    ledger.append(entry({ localKeyId: 'two' }));
    ledger.flush();
    ledger.prune();
    assert.equal(ledger.spentBy('one', 0).cost, COST_OF_ONE);
    ledger.append(entry({ localKeyId: 'one' }));
    assert.equal(ledger.spentBy('one', 0).cost, 2 * COST_OF_ONE);
    ledger.close();
  });
});
