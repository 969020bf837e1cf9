import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { RunCosts } from '../../../../src/editor/chat/runCosts.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';
import { reply } from '../../panels/chat/state.ts';

function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const model = (id: string): Model => ({ id, inputPrice: 10, cachedInputPrice: 1, outputPrice: 50 }) as Model;

/** The steps of a run, by their input tokens and how many of them were read from a cache. */
const steps = (...tokens: readonly (readonly [number, number])[]) =>
  tokens.map(([inputTokens, cachedTokens], index) =>
    reply(`${index}`, { figures: { inputTokens, cachedTokens, outputTokens: 1, estimated: false } }),
  );

describe('the cost of runs', () => {
  it('is forecast for each model by its last five runs, from the second run on', async () => {
    const costs = new RunCosts(memento());
    assert.equal(costs.typicalFor(model('a'), 100), undefined);
    await costs.learn('a', 9, steps([100, 0]));
    await costs.learn('b', 0.5, steps([100, 0]));
    assert.equal(costs.typicalFor(model('a'), 100), undefined);
    for (const cost of [0.1, 0.4, 0.2, 0.3, 0.25]) await costs.learn('a', cost, steps([100, 0]));
    assert.equal(costs.typicalFor(model('a'), 100), 0.25);
    assert.equal(costs.typicalFor(model('b'), 100), undefined);
  });

  it('includes what is attached, in each step, by the share that earlier runs have read from the cache', async () => {
    const costs = new RunCosts(memento());
    for (const cost of [0.05, 0.052]) await costs.learn('a', cost, steps([2000, 0], [4000, 2000], [4000, 2000]));
    // 50,000 tokens more cost $0.50 in the first step, and $0.275 in each of the two others.
    assert.equal(costs.typicalFor(model('a'), 52_000)?.toFixed(4), (0.052 + 0.5 + 2 * 0.275).toFixed(4));
    assert.equal(costs.typicalFor(model('a'), 1000)?.toFixed(4), (0.052 - 0.01 - 2 * 0.0055).toFixed(4));
  });

  it('is not learned from a run whose input is not known', async () => {
    const costs = new RunCosts(memento());
    for (const cost of [1, 2]) await costs.learn('a', cost, [reply('s')]);
    assert.equal(costs.typicalFor(model('a'), 10), undefined);
  });
});
