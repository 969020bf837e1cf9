import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { RunCosts } from '../../../../src/editor/chat/runCosts.ts';

function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

describe('the cost of runs', () => {
  it('is forecast for each model by its last five runs, from the second run on', async () => {
    const costs = new RunCosts(memento());
    assert.equal(costs.typicalFor('a'), undefined);
    await costs.learn('a', 9);
    await costs.learn('b', 0.5);
    assert.equal(costs.typicalFor('a'), undefined);
    for (const cost of [0.1, 0.4, 0.2, 0.3, 0.25]) await costs.learn('a', cost);
    assert.equal(costs.typicalFor('a'), 0.25);
    assert.equal(costs.typicalFor('b'), undefined);
  });
});
