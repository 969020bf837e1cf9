import assert from 'node:assert/strict';
import { SeriesColors } from '../../../../src/panels/usage/series.ts';

const models = (...names: string[]) => names.map((name) => ({ name }));

describe('model colors', () => {
  it('are assigned to the five most expensive models, and one color to all others', () => {
    const series = new SeriesColors().of(models('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    assert.deepEqual(
      series.map(({ model, color }) => [model, color]),
      [
        ['a', 'series-0'],
        ['b', 'series-1'],
        ['c', 'series-2'],
        ['d', 'series-3'],
        ['e', 'series-4'],
        [undefined, 'series-others'],
      ],
    );
  });

  it('stay the same for a model if the order changes', () => {
    const colors = new SeriesColors();
    const first = new Map(colors.of(models('a', 'b', 'c')).map(({ model, color }) => [model, color]));
    for (const { model, color } of colors.of(models('c', 'a', 'b'))) assert.equal(color, first.get(model));
  });

  it('are never shared by two models at the same time', () => {
    const colors = new SeriesColors();
    colors.of(models('a', 'b', 'c', 'd', 'e'));
    colors.of(models('f', 'g'));
    const shown = colors.of(models('a', 'f', 'b', 'g', 'c')).map(({ color }) => color);
    assert.equal(new Set(shown).size, 5);
  });
});
