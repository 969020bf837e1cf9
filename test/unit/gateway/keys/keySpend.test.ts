import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { readKeySpend } from '../../../../src/gateway/keys/keySpend.ts';
import { Ledger } from '../../../../src/gateway/ledger/ledger.ts';
import { LedgerError } from '../../../../src/gateway/ledger/sqlite.ts';
import { entry } from '../ledger/entries.ts';
import { ledgerPath, removeFolders } from '../ledger/files.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;

describe('what keys have spent', () => {
  afterEach(removeFolders);

  it('is told for each in its own period, in dollars and tokens, with its last use', () => {
    const path = ledgerPath();
    const ledger = new Ledger({ path });
    const usage = { inputTokens: 1000, outputTokens: 500 };
    const prices = { inputPrice: 1, outputPrice: 2 };
    for (const at of [NOON - DAY, NOON - 1]) {
      for (const localKeyId of ['one', 'two']) ledger.append(entry({ at, localKeyId, usage, prices }));
    }
    ledger.close();
    const keys = [
      { id: 'one', period: 'daily' as const },
      { id: 'two', period: 'total' as const },
      { id: 'three', period: 'monthly' as const },
    ];
    assert.deepEqual(readKeySpend({ ledger: path, keys }, NOON), [
      { id: 'one', cost: 0.002, tokens: 1500, lastUsedAt: NOON - 1 },
      { id: 'two', cost: 0.004, tokens: 3000, lastUsedAt: NOON - 1 },
      { id: 'three', cost: 0, tokens: 0 },
    ]);
  });

  it('is a LedgerError where the ledger cannot be opened', () => {
    assert.throws(() => readKeySpend({ ledger: tmpdir(), keys: [] }), LedgerError);
  });
});
