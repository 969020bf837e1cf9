import assert from 'node:assert/strict';
import { readKeySpend } from '../../../src/ledger/keySpend.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;

describe('the spending of keys', () => {
  afterEach(removeFolders);

  it('is reported for each budget period, in dollars and tokens, with the last use', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    const usage = { inputTokens: 1000, outputTokens: 500 };
    const prices = { inputPrice: 1, outputPrice: 2 };
    ledger.append(entry({ at: NOON - 2 * DAY, localKeyId: 'two', usage, prices, usageIsEstimated: true }));
    for (const at of [NOON - DAY, NOON - 1]) {
      for (const localKeyId of ['one', 'two']) ledger.append(entry({ at, localKeyId, usage, prices }));
    }
    ledger.close();
    const keys = [
      { id: 'one', periods: ['daily', 'total'] as const },
      { id: 'two', periods: ['total'] as const },
      { id: 'three', periods: ['monthly'] as const },
    ];
    const reader = new LedgerReader(path);
    const spend = readKeySpend(reader, { keys }, NOON);
    reader.close();
    assert.deepEqual(spend, [
      {
        id: 'one',
        spent: {
          daily: { cost: 0.002, tokens: 1500, estimated: 0 },
          total: { cost: 0.004, tokens: 3000, estimated: 0 },
        },
        lastUsedAt: NOON - 1,
      },
      { id: 'two', spent: { total: { cost: 0.006, tokens: 4500, estimated: 1 } }, lastUsedAt: NOON - 1 },
      { id: 'three', spent: { monthly: { cost: 0, tokens: 0, estimated: 0 } } },
    ]);
  });
});
