import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import type { CacheMissReason } from '../../../src/rules/cacheMiss.ts';
import {
  type ExchangeEnd,
  OUTCOME_OF_END,
  OUTCOMES,
  outcomeOf,
  type RequestSource,
} from '../../../src/rules/exchange.ts';
import { type ExchangeFilter, isMatch, NO_SESSION, SEARCH_FIELDS } from '../../../src/rules/exchangeFilter.ts';
import { runs } from '../../support/randomRuns.ts';
import { emptyLedger, removeFolders } from '../ledger/files.ts';

const ENDS = Object.keys(OUTCOME_OF_END) as ExchangeEnd[];
const SOURCES: readonly RequestSource[] = ['gateway', 'chatPanel', 'nativeChat', 'command'];
const NAMES = ['aider', 'Älteste', 'äLTESTE', 'opus-4.6', '40', '%'];

const name = fc.option(fc.constantFrom(...NAMES), { nil: undefined });
const entries = fc.array(
  fc.record(
    {
      at: fc.integer({ min: 0, max: 3 }),
      source: fc.constantFrom(...SOURCES),
      end: fc.constantFrom(...ENDS),
      durationMs: fc.constant(1),
      status: fc.constantFrom(200, 399, 400, 402, 500),
      model: fc.constantFrom(...NAMES),
      client: fc.constantFrom(...NAMES),
      upstream: fc.constantFrom(...NAMES),
      localKeyId: fc.constantFrom('k1', 'k2'),
      conversationId: fc.constantFrom('talk', 'other'),
      sessionId: fc.constantFrom('4a', '5b'),
      cacheMiss: fc.constantFrom<CacheMissReason>('cold', 'expired').map((reason) => ({ reason, missedTokens: 1 })),
    },
    { requiredKeys: ['at', 'source', 'end', 'durationMs'] },
  ),
  { maxLength: 12 },
);
const term = fc.record(
  {
    field: fc.constantFrom(...SEARCH_FIELDS),
    text: fc.constantFrom('AID', 'äl', 'Äl', 'opus', '4', '%', 'r o', 'zz', 'any', 'exp'),
    localKeyIds: fc.subarray(['k1', 'k2']),
    sources: fc.subarray([...SOURCES]),
  },
  { requiredKeys: ['text', 'localKeyIds', 'sources'] },
);
const filters = fc.record(
  {
    model: name,
    client: name,
    source: fc.constantFrom(...SOURCES),
    localKeyId: fc.constantFrom('k1', 'k3'),
    conversationId: fc.constant('talk'),
    sessionId: fc.constantFrom('4a', NO_SESSION),
    outcome: fc.constantFrom(...OUTCOMES),
    terms: fc.array(term, { maxLength: 2 }),
    from: fc.integer({ min: 0, max: 3 }),
    to: fc.integer({ min: 0, max: 4 }),
  },
  { requiredKeys: [] },
);

describe('the exchange filter', () => {
  afterEach(removeFolders);

  it('matches the same exchanges in the ledger and before they are recorded', () => {
    const property = fc.property(entries, fc.array(filters, { minLength: 1, maxLength: 20 }), (given, asked) => {
      const all: LedgerEntry[] = given.map((each, nth) => ({ ...each, id: `req_${nth}` }));
      const path = emptyLedger();
      const ledger = new Ledger({ path });
      for (const each of all) ledger.append(each);
      ledger.close();
      const reader = new LedgerReader(path);
      try {
        for (const filter of asked as ExchangeFilter[]) {
          const found = reader.exchanges({ filter, limit: 100 }).rows.map(({ id }) => id);
          const matching = all.filter((each) => isMatch(filter, each)).map(({ id }) => id);
          assert.deepEqual(new Set(found), new Set(matching), JSON.stringify(filter));
        }
      } finally {
        reader.close();
      }
    });
    fc.assert(property, { numRuns: runs(10) });
  });
});

describe('the outcome of an exchange', () => {
  it('is running without an end, and failed if a completed answer has an error status', () => {
    const endings = [{}, { end: 'completed', status: 399 }, { end: 'completed', status: 400 }] as const;
    assert.deepEqual(endings.map(outcomeOf), ['running', 'completed', 'failed']);
  });

  it('follows from any other end, whatever the status', () => {
    const ended = (['upstreamFailed', 'refused', 'budget', 'clientLeft', 'cancelled'] as const).map((end) =>
      outcomeOf({ end, status: 200 }),
    );
    assert.deepEqual(ended, ['failed', 'refused', 'refused', 'stopped', 'stopped']);
  });
});
