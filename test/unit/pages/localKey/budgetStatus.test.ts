import assert from 'node:assert/strict';
import { resetText } from '../../../../src/pages/localKey/budgetStatus.ts';

const NOW = new Date(2026, 10, 21, 12).getTime();

describe('the reset date of budgets', () => {
  it('is the first day of the next month for monthly budgets', () => {
    assert.equal(resetText(['monthly', 'total', 'monthly'], NOW), 'resets 1 December');
  });

  it('is tomorrow for daily budgets, and for monthly budgets on the last day of the month', () => {
    assert.equal(resetText(['daily'], NOW), 'resets tomorrow');
    assert.equal(resetText(['monthly', 'daily'], new Date(2026, 10, 30, 12).getTime()), 'resets tomorrow');
  });

  it('is omitted if budgets reset at different times, or never', () => {
    assert.equal(resetText(['monthly', 'daily'], NOW), undefined);
    assert.equal(resetText(['total'], NOW), undefined);
    assert.equal(resetText([], NOW), undefined);
  });
});
