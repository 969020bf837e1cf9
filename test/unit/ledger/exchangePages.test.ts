import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import type { ExchangeFilter } from '../../../src/rules/exchangeFilter.ts';
import { runs } from '../../support/randomRuns.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

describe('pages of the ledger', () => {
  let reader: LedgerReader | undefined;

  afterEach(() => {
    reader?.close();
    reader = undefined;
    removeFolders();
  });

  const written = (entries: readonly LedgerEntry[]): LedgerReader => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
    reader = new LedgerReader(path);
    return reader;
  };
  const found = (from: LedgerReader, filter: ExchangeFilter) =>
    from.exchanges({ filter, limit: 100 }).rows.map(({ id }) => id);
  const term = (text: string, field?: 'tool' | 'model' | 'status') => ({
    text,
    localKeyIds: [],
    sources: [],
    ...(field && { field }),
  });

  it('say how many secrets were replaced, and which kinds were found', () => {
    const sealed = entry({ at: 2, secrets: ['aws', 'github'], sealed: 3 });
    const { rows } = written([sealed, entry({ at: 1, secrets: ['aws'] })]).exchanges({ filter: {}, limit: 10 });
    assert.deepEqual(
      rows.map((row) => [row.secrets, row.sealed]),
      [
        [['aws', 'github'], 3],
        [['aws'], undefined],
      ],
    );
  });

  it('return what was recorded, and leave unknown values undefined', () => {
    const usage = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 10, reasoningTokens: 5 };
    const [full, bare] = [
      entry({ at: 2, usage, usageIsEstimated: true, conversationId: 'talk', outputLimit: 1024 }),
      {
        id: 'bare',
        at: 1,
        source: 'command' as const,
        durationMs: 3,
        end: 'refused' as const,
      },
    ];
    const { rows, exchanges, cost } = written([full, bare]).exchanges({ filter: {}, limit: 10 });
    const { number: _, bill, cacheSaving, ...row } = rows[0] ?? assert.fail();
    assert.deepEqual(row, {
      id: full.id,
      at: 2,
      source: 'gateway',
      localKeyId: 'terminal',
      client: 'curl',
      conversationId: 'talk',
      endpoint: '/messages',
      callerFormat: 'messages',
      upstreamFormat: 'chat-completions',
      model: 'familya-sonnet-4.6',
      upstream: 'hosted',
      status: 200,
      queueMs: 2.25,
      firstByteMs: 12.5,
      durationMs: 100.25,
      usage,
      usageIsEstimated: true,
      outputLimit: 1024,
      cost: 0.004473,
      prices: { input: 3, output: 15, cachedInput: 0.3 },
      end: 'completed',
    });
    assert.deepEqual(rows[1], { number: 2, ...bare });
    assert.deepEqual([bill?.length, cacheSaving], [3, 0.000027]);
    assert.deepEqual([exchanges, cost], [2, 0.004473]);
  });

  it('keep sample cost of the sandbox separate from cost', () => {
    const asked = ['hosted', 'sandbox', undefined].map((upstream, place) =>
      entry({ id: `e${place}`, cost: 2_000_000 * (place + 1), ...(upstream !== undefined && { upstream }) }),
    );
    const { exchanges, cost, sampleCost } = written(asked).exchanges({ filter: {}, limit: 10 });
    assert.deepEqual([exchanges, cost, sampleCost], [3, 0.008, 0.004]);
  });

  it('follow each other without gaps or duplicates, whatever the order of entry', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 25 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 7 }), (ats, limit) => {
        const entries = ats.map((at) => entry({ at }));
        const from = written(entries);
        const seen: { readonly id: string; readonly at: number; readonly number: number }[] = [];
        for (;;) {
          const before = seen.at(-1);
          const { rows, exchanges } = from.exchanges({ filter: {}, limit, ...(before && { before }) });
          assert.equal(exchanges, entries.length);
          if (rows.length === 0) break;
          seen.push(...rows);
        }
        from.close();
        reader = undefined;
        assert.deepEqual(new Set(seen.map(({ id }) => id)), new Set(entries.map(({ id }) => id)));
        assert.equal(seen.length, entries.length);
        assert.ok(seen.every(({ at }, nth) => nth === 0 || at <= (seen[nth - 1]?.at ?? 0)));
      }),
      { numRuns: runs(8) },
    );
  });

  it('contain only newer entries on request', () => {
    const from = written([entry({ at: 9 }), entry({ at: 3 }), entry({ at: 5 })]);
    const { rows, exchanges } = from.exchanges({ filter: {}, after: 1, limit: 10 });
    assert.deepEqual([rows.map(({ number }) => number), exchanges], [[3, 2], 3]);
  });

  it('contain what matches a filter', () => {
    const one = entry({ model: 'one', client: 'aider', localKeyId: 'k1', conversationId: 'c', at: 10 });
    const two = entry({ model: 'two', source: 'chatPanel', status: 402, at: 20 });
    const three = entry({ model: 'three', end: 'cancelled', at: 30 });
    const four = entry({ model: 'four', end: 'budget', status: 402, at: 40 });
    const from = written([one, two, three, four]);
    const cases: readonly [ExchangeFilter, readonly LedgerEntry[]][] = [
      [{}, [four, three, two, one]],
      [{ model: 'one' }, [one]],
      [{ client: 'aider' }, [one]],
      [{ localKeyId: 'k1' }, [one]],
      [{ conversationId: 'c' }, [one]],
      [{ source: 'chatPanel' }, [two]],
      [{ outcome: 'completed' }, [one]],
      [{ outcome: 'failed' }, [two]],
      [{ outcome: 'stopped' }, [three]],
      [{ outcome: 'refused' }, [four]],
      [{ from: 20, to: 40 }, [three, two]],
      [{ terms: [term('AIDER')] }, [one]],
      [{ terms: [term('o', 'model'), term('402', 'status')] }, [four, two]],
      [{ terms: [{ ...term('key', 'tool'), localKeyIds: ['k1'] }] }, [one]],
      [{ terms: [{ ...term('chat'), sources: ['chatPanel'] }] }, [two]],
      [{ terms: [{ ...term('panel', 'tool'), sources: ['chatPanel'] }] }, [two]],
      [{ terms: [term('%')] }, []],
    ];
    for (const [filter, expected] of cases) {
      const ids = expected.map(({ id }) => id);
      assert.deepEqual(found(from, filter), ids, JSON.stringify(filter));
    }
    assert.deepEqual(from.exchangeNames(), { models: ['four', 'one', 'three', 'two'], clients: ['aider', 'curl'] });
  });
});
