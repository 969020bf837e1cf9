import assert from 'node:assert/strict';
import { checkCost } from '../../../src/tools/checkCall.ts';

describe('the tool check', () => {
  it('costs at most its question and the longest answer that it allows', () => {
    const cost = checkCost({ inputPrice: 3, outputPrice: 15 }) ?? assert.fail();
    const answer = checkCost({ inputPrice: 0, outputPrice: 15 }) ?? assert.fail();
    assert.equal(answer, (64 * 15) / 1e6);
    assert.ok(cost > answer && cost < answer + (20 * 3) / 1e6, String(cost));
  });

  it('has no price if the model has none', () => {
    assert.equal(checkCost({ inputPrice: 3 }), undefined);
    assert.equal(checkCost({}), undefined);
  });
});
