import assert from 'node:assert/strict';
import type { BranchCost } from '../../../../src/ledger/sessionUsage.ts';
import { branchCostText } from '../../../../src/pages/usage/branchCostText.ts';

const COST: BranchCost = {
  at: new Date(2026, 10, 21, 9).getTime(),
  exchanges: 37,
  unpriced: 0,
  estimated: 0,
  inputTokens: 1_100_000,
  outputTokens: 100_000,
  cost: 1.24,
  cacheSaving: 0,
};

describe('the text about the cost of a branch', () => {
  const lines = (members: Partial<BranchCost> = {}, isSample = false) =>
    branchCostText('feature/totals', { ...COST, ...members }, isSample).split('\n');

  it('is a sentence and a Git trailer', () => {
    assert.deepEqual(lines(), [
      'feature/totals: $1.24 for 37 requests with 1.2M tokens since 21 November 2026',
      'Model-Cost: $1.24',
    ]);
  });

  it('counts one request', () => {
    const [sentence] = lines({ exchanges: 1, inputTokens: 1000, outputTokens: 0 });
    assert.equal(sentence, 'feature/totals: $1.24 for 1 request with 1.0k tokens since 21 November 2026');
  });

  it('marks sample money', () => {
    const [sentence, trailer] = lines({}, true);
    assert.match(sentence ?? '', /: sample \$1\.24 for/);
    assert.equal(trailer, 'Model-Cost: sample $1.24');
  });

  it('says what is not certain', () => {
    const [sentence, trailer] = lines({ estimated: 2, unpriced: 3 });
    assert.equal(
      sentence,
      'feature/totals: ≈ $1.24 for 37 requests with 1.2M tokens since 21 November 2026 (without a known price: 3)',
    );
    assert.equal(trailer, 'Model-Cost: ≈ $1.24');
  });
});
