import assert from 'node:assert/strict';
import { costText, estimateNote, modelDoubtText, savingText } from '../../../../src/panels/usage/words.ts';

describe('the cost of several requests', () => {
  it('is marked if it contains an estimate, and if it is incomplete', () => {
    assert.equal(costText({ cost: 1.5, unpriced: 0, estimated: 0 }), '$1.50');
    assert.equal(costText({ cost: 1.5, unpriced: 0, estimated: 2 }), '≈\u2009$1.50');
    assert.equal(costText({ cost: 1.5, unpriced: 1, estimated: 2 }), '$1.50 +');
    assert.equal(costText({ cost: 0, unpriced: 1, estimated: 1 }), '–');
    assert.equal(costText({ cost: 0, unpriced: 0, estimated: 1 }), '$0.00');
  });

  it('lists all reasons for its uncertainty', () => {
    assert.equal(estimateNote({ unpriced: 0, estimated: 0 }), undefined);
    assert.match(
      estimateNote({ unpriced: 3, estimated: 2 }) ?? '',
      /^3 requests have no known price.*estimated tokens: 2\.$/,
    );
  });
});

describe('the uncertainty note of a model', () => {
  it('includes the average error of its estimates if that was measured', () => {
    const accuracy = { error: 0.04, reports: 50 };
    assert.match(
      modelDoubtText({ unpriced: 0, estimated: 2, accuracy }) ?? '',
      /estimated tokens: 2\. .* by 4% on average\. Requests compared: 50\.$/,
    );
    assert.equal(modelDoubtText({ unpriced: 0, estimated: 0 }), undefined);
  });
});

describe('the cache savings of a request', () => {
  it('are negative if writing cost more than reading saved', () => {
    assert.equal(savingText({ cacheSaving: 0.42 }), '$0.42');
    assert.equal(savingText({ cacheSaving: -0.0031 }), '−$0.0031');
    assert.equal(savingText({ cacheSaving: 0 }), '–');
  });
});
