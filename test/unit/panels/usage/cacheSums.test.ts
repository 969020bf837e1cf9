import assert from 'node:assert/strict';
import { savingTexts } from '../../../../src/panels/usage/words.ts';

describe('cache savings', () => {
  const texts = (readsSaved: number, writesExtra: number) => savingTexts({ readsSaved, writesExtra, avoidable: 0 });

  it('are the difference of the two other amounts, to the cent', () => {
    assert.deepEqual(texts(47.126, 4.214), { net: '$42.92', reads: '$47.13', writes: '$4.21', isLoss: false });
    // The net amount by itself would be rounded to $1.01.
    assert.deepEqual(texts(1.254, 0.246), { net: '$1.00', reads: '$1.25', writes: '$0.25', isLoss: false });
  });

  it('have no sign if writes cost more than reads saved', () => {
    assert.deepEqual(texts(0.5, 2), { net: '$1.50', reads: '$0.50', writes: '$2.00', isLoss: true });
  });

  it('have more decimals for small amounts', () => {
    assert.deepEqual(texts(0.0349, 0.0012), { net: '$0.0337', reads: '$0.0349', writes: '$0.0012', isLoss: false });
    assert.equal(texts(0.000_03, 0).reads, '$0.00003');
  });
});
