import assert from 'node:assert/strict';
import { SeriesColors } from '../../../../src/panels/usage/series.ts';
import { boundsOfPeriod, slotsOf, stacksOf } from '../../../../src/panels/usage/slots.ts';
import { MONTH } from '../../../gallery/usage/samples.ts';

describe('the time axis of the usage chart', () => {
  it('has all days of the period, without gaps', () => {
    const slots = slotsOf({ period: { first: '2026-10-24', last: '2026-11-02' }, unit: 'day' });
    assert.equal(slots.length, 10);
    for (const [index, slot] of slots.entries()) assert.equal(slot.from, slots[index - 1]?.to ?? slot.from);
    assert.deepEqual(
      { from: slots[0]?.from, to: slots.at(-1)?.to },
      boundsOfPeriod({ first: '2026-10-24', last: '2026-11-02' }),
    );
  });

  it('has the hours of a single day', () => {
    const slots = slotsOf({ period: { first: '2026-11-20', last: '2026-11-20' }, unit: 'hour' });
    assert.deepEqual([slots.length, slots[9]?.time, slots[9]?.label], [24, '2026-11-20T09', '09:00']);
    assert.equal(slots[9]?.from, new Date(2026, 10, 20, 9).getTime());
  });

  it('has weeks starting on Monday, cut at the ends of the period', () => {
    const slots = slotsOf({ period: { first: '2026-11-04', last: '2026-11-19' }, unit: 'week' });
    assert.deepEqual(
      slots.map(({ time }) => time),
      ['2026-11-02', '2026-11-09', '2026-11-16'],
    );
    assert.equal(slots[0]?.from, new Date(2026, 10, 4).getTime());
    assert.equal(slots[2]?.to, new Date(2026, 10, 20).getTime());
  });
});

describe('the bars of the usage chart', () => {
  it('add up to the total spending, including other models', () => {
    const stacks = stacksOf(MONTH, new SeriesColors().of(MONTH.models));
    assert.equal(stacks.length, 30);
    const total = stacks.reduce((sum, stack) => sum + stack.total.cost, 0);
    assert.ok(Math.abs(total - MONTH.totals.cost) < 1e-6, `${total} of ${MONTH.totals.cost}`);
  });

  it('are marked if and only if they contain estimates', () => {
    const [first, ...rest] = MONTH.spends;
    assert.ok(first !== undefined);
    const report = { ...MONTH, spends: [{ ...first, estimated: 2 }, ...rest] };
    const stacks = stacksOf(report, new SeriesColors().of(report.models));
    const marked = stacks.flatMap(({ slot, total }) => (total.estimated > 0 ? [[slot.time, total.estimated]] : []));
    assert.deepEqual(marked, [[first.time, 2]]);
    assert.equal(stacks.flatMap(({ parts }) => parts).filter(({ estimated }) => estimated > 0).length, 1);
  });
});
