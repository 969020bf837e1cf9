import assert from 'node:assert/strict';
import { SuggestionFigures } from '../../../../src/editor/inlineSuggestions/suggestionFigures.ts';
import type { SuggestionServices } from '../../../../src/editor/inlineSuggestions/suggestionServices.ts';
import type { LedgerEntry } from '../../../../src/ledger/ledgerEntry.ts';

describe('what inline suggestions have cost today', () => {
  it('includes a request that has ended while the sums were read', async () => {
    const sums = Promise.withResolvers<void>();
    let record: (entry: LedgerEntry) => void = () => assert.fail('Nothing is recorded.');
    const services = {
      calls: {
        onDidRecord: (listener: typeof record) => {
          record = listener;
          return { dispose: () => undefined };
        },
      },
      connection: { current: { kind: 'hosted' } },
      ledger: 'ledger',
      memory: { get: () => undefined },
      worker: {
        rpc: {
          readLedger: async () => {
            await sums.promise;
            return { callers: [{ source: 'inlineSuggestion', cost: 2, exchanges: 3 }], models: [] };
          },
        },
      },
      log: { warn: (_: string, error: unknown) => assert.fail(String(error)) },
    };
    const figures = new SuggestionFigures(services as unknown as SuggestionServices);
    const read = figures.refresh();
    const prices = { inputPrice: 1, outputPrice: 1 };
    record({
      source: 'inlineSuggestion',
      usage: { inputTokens: 1e6, outputTokens: 0 },
      prices,
    } as unknown as LedgerEntry);
    sums.resolve();
    await read;
    assert.deepEqual([figures.requests, figures.cost > 2], [4, true]);
    figures.dispose();
  });
});
