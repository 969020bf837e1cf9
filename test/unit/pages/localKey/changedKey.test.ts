import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ALL_LIMIT_NAMES } from '../../../../src/gateway/core/keyLimits.ts';
import type { KeyTerms } from '../../../../src/gateway/keys/issuedKey.ts';
import { checkedTerms } from '../../../../src/gateway/keys/keyTerms.ts';
import { formOfKey, hiddenBudgetTexts, termsOfChange } from '../../../../src/pages/localKey/changedKey.ts';
import { readForm } from '../../../../src/pages/localKey/readForm.ts';
import { BUDGET_PERIODS } from '../../../../src/rules/period.ts';
import { SECRET_POLICIES } from '../../../../src/rules/secretPolicy.ts';
import { runs } from '../../../support/randomRuns.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

const budget = fc.record(
  {
    period: fc.constantFrom(...BUDGET_PERIODS),
    unit: fc.constantFrom('usd' as const, 'tokens' as const),
    amount: fc.integer({ min: 1, max: 1_000_000 }),
  },
  { noNullPrototype: true },
);
const terms = fc.record(
  {
    budgets: fc.uniqueArray(budget, { selector: ({ period }) => period, minLength: 1 }),
    limits: fc.dictionary(fc.constantFrom(...ALL_LIMIT_NAMES), fc.integer({ min: 1, max: 1000 }), {
      minKeys: 1,
      noNullPrototype: true,
    }),
    models: fc.uniqueArray(fc.constantFrom('small', 'large', 'family*', 'vendor/other'), { minLength: 1 }),
    expiresAt: fc.integer({ min: NOW + DAY_MS, max: NOW + 400 * DAY_MS }),
    lowersLimits: fc.boolean(),
    measuresContext: fc.constant(false),
    secrets: fc.constantFrom(...SECRET_POLICIES),
  },
  { requiredKeys: ['lowersLimits'], noNullPrototype: true },
);

/** The terms without the order of their lists. */
function sorted({ budgets, models, ...others }: KeyTerms) {
  return {
    ...others,
    budgets: budgets?.toSorted((one, other) => one.period.localeCompare(other.period)),
    models: models?.toSorted(),
  };
}

describe('a local key on its page', () => {
  it('keeps all of its terms if nothing is changed', () => {
    fc.assert(
      fc.property(terms, (random) => {
        const key = { name: 'codex', ...checkedTerms(random, NOW) };
        const form = formOfKey(key, ['small', 'large']);
        const read = readForm(form, [], NOW);
        assert.deepEqual(read.problems, {});
        assert.deepEqual(sorted({ ...termsOfChange(read.terms, form, key), name: 'codex' } as KeyTerms), sorted(key));
      }),
      { numRuns: runs(100) },
    );
  });

  it('keeps a budget in another unit, unless its period gets another one', () => {
    const tokens = { amount: 200_000, unit: 'tokens', period: 'total' } as const;
    const key = { name: 'codex', budgets: [{ amount: 5, unit: 'usd', period: 'daily' } as const, tokens] };
    assert.deepEqual(hiddenBudgetTexts(key), ['200,000 tokens in total']);
    const form = formOfKey(key, []);
    const other = { ...form, budgets: { ...form.budgets, total: '9' } };
    const changed = termsOfChange(readForm(other, [], NOW).terms, other, key);
    assert.deepEqual(
      changed.budgets?.map(({ unit }) => unit),
      ['usd', 'usd'],
    );
  });
});
