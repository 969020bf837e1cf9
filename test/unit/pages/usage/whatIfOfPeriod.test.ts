import assert from 'node:assert/strict';
import type { UsageModel, UsageReport } from '../../../../src/ledger/usage.ts';
import { whatIfOfPeriod } from '../../../../src/pages/usage/whatIfOfPeriod.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';

const NOTHING = { cachedInputTokens: 0, cacheWriteTokens: 0, inputTokens: 0, outputTokens: 0 };

function used(name: string, sums: Partial<UsageModel> = {}): UsageModel {
  return { ...NOTHING, inputTokens: 1_000_000, outputTokens: 100_000, ...sums, name } as UsageModel;
}

const report = (...models: readonly UsageModel[]) => ({ models }) as unknown as UsageReport;
const priced = (id: string, inputPrice: number): Model => ({ id, inputPrice, outputPrice: inputPrice * 10, raw: {} });

describe('a period estimated for another model', () => {
  it('is a price range for the tokens of all models at the prices of one', () => {
    const [range] = whatIfOfPeriod(report(used('a'), used('b', { cachedInputTokens: 1_000_000 })), [priced('c', 2)]);
    // $2 of input, $0.20 of cached input, and $2 of output for each.
    const [input, output] = [2 + 0.2, 2 + 2];
    assert.equal(range?.model, 'c');
    assert.ok(Math.abs((range?.low ?? 0) - (input * 0.9 + output * 0.7)) < 1e-9);
    assert.ok(Math.abs((range?.high ?? 0) - (input * 1.1 + output * 1.3)) < 1e-9);
  });

  it('prefers models that were used, omits the only used model, and lists the most expensive first', () => {
    const models = [1, 2, 3, 4, 5, 6].map((price) => priced(`m${price}`, price));
    const names = (...ranges: Parameters<typeof whatIfOfPeriod>) => whatIfOfPeriod(...ranges).map(({ model }) => model);
    assert.deepEqual(names(report(used('m6'), used('m5')), models), ['m6', 'm5', 'm2', 'm1']);
    assert.deepEqual(names(report(used('m1')), models), ['m5', 'm4', 'm3', 'm2']);
  });

  it('is empty without used tokens or known prices', () => {
    assert.deepEqual(whatIfOfPeriod(report(used('m1', NOTHING)), [priced('m2', 1)]), []);
    assert.deepEqual(whatIfOfPeriod(report(used('m1')), [{ id: 'm2', raw: {} }]), []);
  });
});
