import assert from 'node:assert/strict';
import { costText, doubtText, modelDoubtText, savingText } from '../../../../src/panels/usage/words.ts';

describe('what a sum of requests cost', () => {
  it('is marked where it holds an estimate, and where it is not the whole', () => {
    assert.equal(costText({ cost: 1.5, unpriced: 0, estimated: 0 }), '$1.50');
    assert.equal(costText({ cost: 1.5, unpriced: 0, estimated: 2 }), '≈\u2009$1.50');
    assert.equal(costText({ cost: 1.5, unpriced: 1, estimated: 2 }), '≈\u2009$1.50 +');
    assert.equal(costText({ cost: 0, unpriced: 1, estimated: 1 }), '–');
    assert.equal(costText({ cost: 0, unpriced: 0, estimated: 1 }), '$0.00');
  });

  it('says why it is in doubt, with all reasons', () => {
    assert.equal(doubtText({ unpriced: 0, estimated: 0 }), undefined);
    assert.match(
      doubtText({ unpriced: 3, estimated: 2 }) ?? '',
      /^3 requests have no known price.*estimated tokens: 2\.$/,
    );
  });
});

describe('what is in doubt about a model', () => {
  it('includes how far its estimates are off, where that was measured', () => {
    const accuracy = { error: 0.04, reports: 50 };
    assert.match(
      modelDoubtText({ unpriced: 0, estimated: 2, accuracy }) ?? '',
      /estimated tokens: 2\. .* by 4% on average\. Requests compared: 50\.$/,
    );
    assert.equal(modelDoubtText({ unpriced: 0, estimated: 0 }), undefined);
  });
});

describe('what the cache saved', () => {
  it('is below zero where writing cost more than reading saved', () => {
    assert.equal(savingText({ cacheSaving: 0.42 }), '$0.42');
    assert.equal(savingText({ cacheSaving: -0.0031 }), '−$0.0031');
    assert.equal(savingText({ cacheSaving: 0 }), '–');
  });
});
