import assert from 'node:assert/strict';
import { resetText } from '../../../../src/editor/localKeys/budgetStanding.ts';

const NOW = new Date(2026, 10, 21, 12).getTime();

describe('when budgets begin anew', () => {
  it('is a day of the next month for those of a month', () => {
    assert.equal(resetText(['monthly', 'total', 'monthly'], NOW), 'resets 1 December');
  });

  it('is tomorrow for those of a day, and for those of a month on its last day', () => {
    assert.equal(resetText(['daily'], NOW), 'resets tomorrow');
    assert.equal(resetText(['monthly', 'daily'], new Date(2026, 10, 30, 12).getTime()), 'resets tomorrow');
  });

  it('is not said where they begin at different times, or never', () => {
    assert.equal(resetText(['monthly', 'daily'], NOW), undefined);
    assert.equal(resetText(['total'], NOW), undefined);
    assert.equal(resetText([], NOW), undefined);
  });
});
