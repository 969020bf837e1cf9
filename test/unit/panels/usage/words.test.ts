import assert from 'node:assert/strict';
import { costText, doubtText, savingText } from '../../../../src/panels/usage/words.ts';

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

describe('what the cache saved', () => {
  it('is below zero where writing cost more than reading saved', () => {
    assert.equal(savingText({ cacheSaving: 0.42 }), '$0.42');
    assert.equal(savingText({ cacheSaving: -0.0031 }), '−$0.0031');
    assert.equal(savingText({ cacheSaving: 0 }), '–');
  });
});
