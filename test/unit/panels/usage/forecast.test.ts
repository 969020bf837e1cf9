import assert from 'node:assert/strict';
import { forecastOf } from '../../../../src/panels/usage/forecast.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY = 24 * 60 * 60 * 1000;

describe('the balance forecast', () => {
  it('names the day on which the balance runs out at the recent rate', () => {
    assert.deepEqual(forecastOf({ days: 10, cost: 20 }, 12, NOW), { kind: 'until', at: NOW + 6 * DAY, perDay: 2 });
  });

  it('names no day more than a year away', () => {
    assert.deepEqual(forecastOf({ days: 10, cost: 0.1 }, 12, NOW), { kind: 'overAYear', perDay: 0.01 });
  });

  for (const [kind, days, cost, balance] of [
    ['tooEarly', 0.5, 3, 12],
    ['nothingSpent', 0, 0, 12],
    ['usedUp', 10, 20, 0],
    ['unknown', 10, 20, undefined],
  ] as const) {
    it(`has no forecast: ${kind}`, () => {
      assert.deepEqual(forecastOf({ days, cost }, balance, NOW), { kind });
    });
  }
});
