import assert from 'node:assert/strict';
import { periodOf } from '../../../../src/pages/usage/period.ts';

const NOW = new Date(2026, 10, 20, 18).getTime();
const dates = (first: string, last: string) => periodOf({ kind: 'dates', period: { first, last } }, NOW);

describe('the period of the usage view', () => {
  it('ends today', () => {
    assert.deepEqual(periodOf({ kind: 'today' }, NOW), { first: '2026-11-20', last: '2026-11-20' });
    assert.deepEqual(periodOf({ kind: '7days' }, NOW), { first: '2026-11-14', last: '2026-11-20' });
    assert.deepEqual(periodOf({ kind: '30days' }, NOW), { first: '2026-10-22', last: '2026-11-20' });
    assert.deepEqual(periodOf({ kind: 'month' }, NOW), { first: '2026-11-01', last: '2026-11-20' });
  });

  it('has its dates in order, within the retention of the ledger', () => {
    assert.deepEqual(dates('2026-11-10', '2026-11-01'), { first: '2026-11-01', last: '2026-11-10' });
    assert.deepEqual(dates('1999-01-01', '2030-01-01'), { first: '2025-11-19', last: '2026-11-20' });
  });

  it('rejects text that is not a date', () => {
    assert.deepEqual(dates("2026' OR 1", ''), { first: '2026-11-20', last: '2026-11-20' });
  });
});
