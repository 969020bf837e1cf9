import assert from 'node:assert/strict';
import { SeriesColours } from '../../../../src/panels/usage/series.ts';

const models = (...names: string[]) => names.map((name) => ({ name }));

describe('the colours of models', () => {
  it('are given to the five mostExpensive, and one to all others', () => {
    const series = new SeriesColours().of(models('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    assert.deepEqual(
      series.map(({ model, colour }) => [model, colour]),
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

  it('stay with their models when the order changes', () => {
    const colours = new SeriesColours();
    const first = new Map(colours.of(models('a', 'b', 'c')).map(({ model, colour }) => [model, colour]));
    for (const { model, colour } of colours.of(models('c', 'a', 'b'))) assert.equal(colour, first.get(model));
  });

  it('are never those of two models at once', () => {
    const colours = new SeriesColours();
    colours.of(models('a', 'b', 'c', 'd', 'e'));
    colours.of(models('f', 'g'));
    const shown = colours.of(models('a', 'f', 'b', 'g', 'c')).map(({ colour }) => colour);
    assert.equal(new Set(shown).size, 5);
  });
});
