import assert from 'node:assert/strict';
import type { KeyForm } from '../../../../src/pages/localKey/protocol.ts';
import { readForm } from '../../../../src/pages/localKey/readForm.ts';

const NOW = new Date(2026, 5, 15, 12).getTime();
const EMPTY: KeyForm = {
  name: 'ci-bot',
  unit: 'usd',
  budgets: { daily: '', monthly: '', total: '' },
  lowersLimits: true,
  requestsPerMinute: '',
  parallel: '',
  tokensPerMinute: '',
  sessionDollars: '',
  patterns: '',
  secrets: 'default',
  expiry: 'never',
  date: '',
};

function read(form: Partial<KeyForm>) {
  return readForm({ ...EMPTY, ...form }, ['default'], NOW);
}

describe('the local key form', () => {
  it('sets no limits if its fields are empty', () => {
    assert.deepEqual(read({ name: ' ci-bot ' }), { name: 'ci-bot', terms: { lowersLimits: true }, problems: {} });
  });

  it('creates budgets in one unit, limits, models with patterns, and expiry at the end of a day', () => {
    const { terms, problems } = read({
      budgets: { daily: '$2.00', monthly: '1,020', total: '' },
      requestsPerMinute: '30',
      sessionDollars: '1.5',
      models: ['familya-haiku-4.5'],
      patterns: 'familyb-*, ',
      expiry: 'date',
      date: '2026-06-30',
    });
    assert.deepEqual(problems, {});
    assert.deepEqual(terms, {
      budgets: [
        { period: 'daily', unit: 'usd', amount: 2 },
        { period: 'monthly', unit: 'usd', amount: 1020 },
      ],
      limits: { requestsPerMinute: 30, sessionDollars: 1.5 },
      models: ['familya-haiku-4.5', 'familyb-*'],
      lowersLimits: true,
      expiresAt: new Date(2026, 6, 1).getTime(),
    });
  });

  it('sets an expiry in 30 days if that is chosen', () => {
    assert.equal(read({ expiry: 'month' }).terms.expiresAt, NOW + 30 * 24 * 60 * 60 * 1000);
  });

  it('reports the error of each field', () => {
    const { problems } = read({
      name: 'DEFAULT',
      unit: 'tokens',
      budgets: { daily: 'many', monthly: '1.5', total: '100' },
      parallel: '-1',
      models: [],
      expiry: 'date',
      date: '2026-06-14',
    });
    assert.deepEqual(Object.keys(problems).sort(), ['daily', 'date', 'models', 'monthly', 'name', 'parallel']);
    assert.match(problems.name ?? '', /already exists/);
    assert.match(problems.monthly ?? '', /whole number/);
    assert.match(problems.date ?? '', /in the future/);
  });

  it('requires a date as year-month-day', () => {
    for (const date of ['', '2026-02-30', 'tomorrow']) {
      assert.match(read({ expiry: 'date', date }).problems.date ?? '', /year-month-day/);
    }
  });
});
