import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TrafficRow } from '../../../../../src/pages/traffic/protocol.ts';
import { eventLines } from '../../../../../src/panels/traffic/detail/eventLines.ts';
import { phasesOf } from '../../../../../src/panels/traffic/detail/phases.ts';
import { timeScale, waterfallBar } from '../../../../../src/panels/traffic/list/scale.ts';
import { mergedRows, rowsBefore, withNewer } from '../../../../../src/panels/traffic/rows.ts';
import { nearestFirst, rowWindow, scrollFor } from '../../../../../src/panels/traffic/virtualRows.ts';

function row(id: string, at: number, more: Partial<TrafficRow> = {}): TrafficRow {
  return { id, at, source: 'gateway', durationMs: 1_000, ...more };
}

describe('the rows of the traffic list', () => {
  const entered = [row('c', 30, { number: 3 }), row('a', 10, { number: 1 })];

  it('merge running and recorded requests, latest first, without duplicates', () => {
    const rows = mergedRows(entered, [row('b', 20), row('c', 30)]);
    assert.deepEqual(
      rows.map(({ id, number }) => [id, number]),
      [
        ['c', 3],
        ['b', undefined],
        ['a', 1],
      ],
    );
  });

  it('insert new entries in order', () => {
    const rows = withNewer(entered, [row('d', 5, { number: 4 }), row('e', 40, { number: 5 })]);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['e', 'c', 'a', 'd'],
    );
  });

  it('are rendered only in and near the visible range, however many there are', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(3_000_000), fc.integer({ min: 0, max: 2_000 }), (count, top, height) => {
        const { first, end } = rowWindow(count, 28, top, height);
        assert.ok(first >= 0 && first <= end && end <= count);
        assert.ok(end - first <= height / 28 + 26);
        for (let y = top; y < Math.min(top + height, count * 28); y += 28) {
          const index = Math.floor(y / 28);
          assert.ok(index >= first && index < end);
        }
      }),
    );
  });

  it('are rendered starting with the visible ones, each once', () => {
    assert.deepEqual(nearestFirst({ first: 3, end: 9 }, { first: 5, end: 7 }), [5, 6, 7, 4, 8, 3]);
    assert.deepEqual(nearestFirst({ first: 0, end: 4 }, { first: 0, end: 2 }), [0, 1, 2, 3]);
  });

  it('are only the visible ones without overscan', () => {
    assert.deepEqual(rowWindow(1_000, 28, 28 * 100, 280, 0), { first: 100, end: 110 });
  });

  it('are found again after other rows were added before them or removed', () => {
    const [a, b, c] = [row('a', 30), row('b', 20), row('c', 10)];
    assert.equal(rowsBefore(1, [a, b], [row('x', 50), a, row('y', 25), b, c]), 2);
    assert.equal(rowsBefore(0, [a, b], [{ ...a, durationMs: 5 }, b]), 0);
    assert.equal(rowsBefore(2, [a, b, c], [b, c]), -1);
    assert.equal(rowsBefore(0, [a, b], [b]), undefined);
    assert.equal(rowsBefore(0, [], [a]), undefined);
  });

  it('scroll only if the selected row is out of view', () => {
    assert.equal(scrollFor(2, 28, 0, 280), undefined);
    assert.equal(scrollFor(0, 28, 100, 280), 0);
    assert.equal(scrollFor(20, 28, 0, 280), 21 * 28 - 280);
  });
});

describe('the waterfall', () => {
  it('has an axis that is not distorted by a few very long requests', () => {
    const rows = [
      ...Array.from({ length: 99 }, (_, nth) => row(`${nth}`, 0, { durationMs: 4_000 })),
      row('x', 0, { durationMs: 900_000 }),
    ];
    const scale = timeScale(rows);
    assert.deepEqual(scale, { maxMs: 4_000, ticks: [0, 1_000, 2_000, 3_000] });
    assert.ok(waterfallBar(row('x', 0, { durationMs: 900_000 }), scale).isCut);
  });

  it('shows waiting and receiving as shares of the axis, and marks waits of over five seconds', () => {
    const scale = { maxMs: 10_000, ticks: [] };
    assert.deepEqual(waterfallBar(row('a', 0, { firstByteMs: 6_000, durationMs: 8_000 }), scale), {
      queue: 0,
      failed: 0,
      wait: 0.6,
      receive: 0.2,
      isLongWait: true,
      isCut: false,
    });
  });

  it('distinguishes time in the gateway from the wait for the upstream', () => {
    const scale = { maxMs: 10_000, ticks: [] };
    const { queue, wait } = waterfallBar(row('a', 0, { queueMs: 1_000, firstByteMs: 4_000, durationMs: 8_000 }), scale);
    assert.deepEqual([queue, wait], [0.1, 0.3]);
  });

  it('distinguishes failed attempts from the wait for the successful one', () => {
    const scale = { maxMs: 10_000, ticks: [] };
    const attempts = [
      { upstream: 'a', model: 'm', at: 1_000, durationMs: 2_000, failure: 'server' },
      { upstream: 'b', model: 'm', at: 3_000, durationMs: 5_000, status: 200 },
    ];
    const times = { queueMs: 1_000, firstByteMs: 4_000, durationMs: 8_000 };
    const { queue, failed, wait, receive } = waterfallBar(row('a', 0, { ...times, attempts }), scale);
    assert.deepEqual(
      [queue, failed, wait, receive].map((part) => part.toFixed(2)),
      ['0.10', '0.20', '0.10', '0.40'],
    );
    const allFailed = attempts.map((attempt) => ({ ...attempt, failure: 'server' }));
    assert.equal(waterfallBar(row('a', 0, { ...times, attempts: allFailed, end: 'upstreamFailed' }), scale).failed, 0);
  });

  it('stays within the axis', () => {
    const time = fc.nat(1_000_000);
    const attempts = fc.array(
      fc.record(
        {
          upstream: fc.constant('a'),
          model: fc.constant('m'),
          at: time,
          durationMs: time,
          failure: fc.constant('server'),
        },
        { requiredKeys: ['upstream', 'model', 'at', 'durationMs'] },
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ durationMs: time, firstByteMs: time, attempts }), { minLength: 1 }), (times) => {
        const rows = times.map((each, nth) => row(`${nth}`, nth, each));
        const scale = timeScale(rows);
        for (const each of rows) {
          const { queue, failed, wait, receive } = waterfallBar(each, scale);
          assert.ok([queue, failed, wait, receive].every((part) => part >= 0));
          assert.ok(queue + failed + wait + receive <= 1 + 1e-9);
        }
      }),
    );
  });
});

describe('the phases of an exchange', () => {
  it('follow each other without gaps from beginning to end', () => {
    const details = { id: 'a', format: 'messages', attempts: [], bodies: [], record: { queueMs: 240 } } as never;
    const steps = [
      { atMs: 1_110, kind: 'reasoning' },
      { atMs: 4_203, kind: 'text' },
      { atMs: 8_000, kind: 'toolCall' },
      { atMs: 9_000, kind: 'finish' },
    ] as const;
    assert.deepEqual(phasesOf(row('a', 0, { firstByteMs: 1_104, durationMs: 9_118 }), details, steps), [
      { kind: 'queue', fromMs: 0, toMs: 240 },
      { kind: 'wait', fromMs: 240, toMs: 1_104 },
      { kind: 'receive', fromMs: 1_104, toMs: 1_110 },
      { kind: 'reasoning', fromMs: 1_110, toMs: 4_203 },
      { kind: 'receive', fromMs: 4_203, toMs: 9_118 },
    ]);
  });

  it('are a single wait if no byte arrived', () => {
    assert.deepEqual(phasesOf(row('a', 0), undefined), [{ kind: 'wait', fromMs: 0, toMs: 1_000 }]);
  });
});

describe('the timeline of events', () => {
  it('shows pauses as separate lines', () => {
    const events = [100, 150, 2_150].map((atMs) => ({ atMs, data: '{}' }));
    assert.deepEqual(
      eventLines(events).map((line) => (line.kind === 'gap' ? `gap ${line.ms}` : `event ${line.nth}`)),
      ['event 0', 'event 1', 'gap 2000', 'event 2'],
    );
  });
});
