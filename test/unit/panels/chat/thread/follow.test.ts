import assert from 'node:assert/strict';
import { followsAfterScroll, isNearEnd } from '../../../../../src/panels/chat/thread/follow.ts';

const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, clientHeight: 400, scrollHeight });

describe('following the end of the thread', () => {
  it('holds within 48 pixels of the end', () => {
    assert.equal(isNearEnd(at(600)), true);
    assert.equal(isNearEnd(at(553)), true);
    assert.equal(isNearEnd(at(552)), false);
  });

  it('ends as soon as the reader moves up, however little', () => {
    assert.equal(followsAfterScroll(true, at(600), at(596), true), false);
    assert.equal(followsAfterScroll(true, at(600), at(596), false), false);
  });

  it('ends for a reader who moves up while the answer grows', () => {
    assert.equal(followsAfterScroll(true, at(600), at(590, 1040), true), false);
  });

  it('goes on when the layout moves the thread', () => {
    assert.equal(followsAfterScroll(true, at(600), at(580, 1100), false), true);
    assert.equal(followsAfterScroll(true, at(600), at(500, 900), false), true);
    assert.equal(followsAfterScroll(false, at(100), at(80, 900), false), false);
  });

  it('begins again when the reader comes near the end', () => {
    assert.equal(followsAfterScroll(false, at(300), at(500), true), false);
    assert.equal(followsAfterScroll(false, at(500), at(560), true), true);
  });

  it('goes on at the very end when the content has shrunk under the reader', () => {
    assert.equal(followsAfterScroll(true, at(600), at(500, 900), true), true);
  });
});
