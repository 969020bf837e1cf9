import assert from 'node:assert/strict';
import fc from 'fast-check';
import { axisFor, axisTime, labelPlaces } from '../../../../src/panels/shared/plot/axis.ts';

describe('an axis', () => {
  it('ends above the largest value, with at most four divisions', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (largest) => {
        const { max, ticks } = axisFor(largest);
        assert.ok(max >= largest * (1 - 1e-6), `${max} for ${largest}`);
        assert.ok(ticks.length >= 2 && ticks.length <= 5, `${ticks}`);
        assert.ok(max <= largest * 4);
      }),
    );
  });

  it('has round values', () => {
    assert.deepEqual(axisFor(1.64).ticks, [0, 0.5, 1, 1.5, 2]);
    assert.deepEqual(axisFor(730_000).ticks, [0, 200_000, 400_000, 600_000, 800_000]);
  });

  it('has one division if there is no data', () => {
    assert.deepEqual(axisFor(0).ticks, [0, 1]);
  });

  it('labels times in one unit, with distinct labels', () => {
    const times = (largest: number) => {
      const { step, ticks } = axisFor(largest);
      return ticks.map(axisTime(step));
    };
    assert.deepEqual(times(40), ['0 ms', '10 ms', '20 ms', '30 ms', '40 ms']);
    assert.deepEqual(times(900), ['0 ms', '250 ms', '500 ms', '750 ms', '1000 ms']);
    assert.deepEqual(times(1900), ['0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s']);
    assert.deepEqual(times(70_000), ['0 s', '20 s', '40 s', '1 min', '1 min 20 s']);
  });

  it('shows as many labels as fit', () => {
    assert.deepEqual(labelPlaces(30, 720, 72), [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
    assert.deepEqual(labelPlaces(3, 720, 72), [0, 1, 2]);
    assert.deepEqual(labelPlaces(30, 10, 72), [0]);
  });
});
