import assert from 'node:assert/strict';
import { followsAfterScroll, isNearEnd } from '../../../../../src/panels/chat/thread/threadScroll.ts';

const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, clientHeight: 400, scrollHeight });

describe('following the end of the thread', () => {
  it('continues within 48 pixels of the end', () => {
    assert.equal(isNearEnd(at(600)), true);
    assert.equal(isNearEnd(at(553)), true);
    assert.equal(isNearEnd(at(552)), false);
  });

  it('ends as soon as the reader scrolls up, by any distance', () => {
    assert.equal(followsAfterScroll(true, at(600), at(596), true), false);
    assert.equal(followsAfterScroll(true, at(600), at(596), false), false);
  });

  it('ends if the reader scrolls up while the answer grows', () => {
    assert.equal(followsAfterScroll(true, at(600), at(590, 1040), true), false);
  });

  it('continues when the layout moves the thread', () => {
    assert.equal(followsAfterScroll(true, at(600), at(580, 1100), false), true);
    assert.equal(followsAfterScroll(true, at(600), at(500, 900), false), true);
    assert.equal(followsAfterScroll(false, at(100), at(80, 900), false), false);
  });

  it('resumes when the reader comes near the end', () => {
    assert.equal(followsAfterScroll(false, at(300), at(500), true), false);
    assert.equal(followsAfterScroll(false, at(500), at(560), true), true);
  });

  it('continues at the very end if the content has shrunk', () => {
    assert.equal(followsAfterScroll(true, at(600), at(500, 900), true), true);
  });
});
