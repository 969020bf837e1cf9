import assert from 'node:assert/strict';
import { MONTH } from '../../../../src/panels/usage/gallery/samples.ts';
import { SeriesColours } from '../../../../src/panels/usage/series.ts';
import { boundsOfPeriod, slotsOf } from '../../../../src/panels/usage/slots.ts';
import { stacksOf } from '../../../../src/panels/usage/stacks.ts';

describe('the places on the axis of time', () => {
  it('are all days of the period, without gaps between them', () => {
    const slots = slotsOf({ period: { first: '2026-10-24', last: '2026-11-02' }, unit: 'day' });
    assert.equal(slots.length, 10);
    for (const [index, slot] of slots.entries()) assert.equal(slot.from, slots[index - 1]?.to ?? slot.from);
    assert.deepEqual(
      { from: slots[0]?.from, to: slots.at(-1)?.to },
      boundsOfPeriod({ first: '2026-10-24', last: '2026-11-02' }),
    );
  });

  it('are the hours of a single day', () => {
    const slots = slotsOf({ period: { first: '2026-11-20', last: '2026-11-20' }, unit: 'hour' });
    assert.deepEqual([slots.length, slots[9]?.time, slots[9]?.label], [24, '2026-11-20T09', '09:00']);
    assert.equal(slots[9]?.from, new Date(2026, 10, 20, 9).getTime());
  });

  it('are weeks from Monday on, cut at the ends of the period', () => {
    const slots = slotsOf({ period: { first: '2026-11-04', last: '2026-11-19' }, unit: 'week' });
    assert.deepEqual(
      slots.map(({ time }) => time),
      ['2026-11-02', '2026-11-09', '2026-11-16'],
    );
    assert.equal(slots[0]?.from, new Date(2026, 10, 4).getTime());
    assert.equal(slots[2]?.to, new Date(2026, 10, 20).getTime());
  });
});

describe('the bars of the spending', () => {
  it('add up to what was spent, the other models too', () => {
    const stacks = stacksOf(MONTH, new SeriesColours().of(MONTH.models));
    assert.equal(stacks.length, 30);
    const total = stacks.reduce((sum, stack) => sum + stack.total.cost, 0);
    assert.ok(Math.abs(total - MONTH.totals.cost) < 1e-6, `${total} of ${MONTH.totals.cost}`);
  });

  it('are marked where they contain estimates, and no others', () => {
    const [first, ...rest] = MONTH.spends;
    assert.ok(first !== undefined);
    const report = { ...MONTH, spends: [{ ...first, estimated: 2 }, ...rest] };
    const stacks = stacksOf(report, new SeriesColours().of(report.models));
    const marked = stacks.flatMap(({ slot, total }) => (total.estimated > 0 ? [[slot.time, total.estimated]] : []));
    assert.deepEqual(marked, [[first.time, 2]]);
    assert.equal(stacks.flatMap(({ parts }) => parts).filter(({ estimated }) => estimated > 0).length, 1);
  });
});
