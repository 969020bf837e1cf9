import assert from 'node:assert/strict';
import { FormulaPace } from '../../../../../../src/panels/chat/markdown/math/formulaPace.ts';

describe('the scheduling of formula rendering', () => {
  let frames: (() => void)[];
  let pace: FormulaPace;
  let drawn: string[];
  let clock: number;

  beforeEach(() => {
    frames = [];
    drawn = [];
    clock = 0;
    pace = new FormulaPace(
      (callback) => frames.push(callback),
      () => clock,
    );
  });

  const draw = (name: string, elements: number, milliseconds = 0) =>
    pace.draw(() => {
      drawn.push(name);
      clock += milliseconds;
      return elements;
    });

  function nextFrame(): void {
    for (const callback of frames.splice(0)) callback();
  }

  it('draws ordinary formulas immediately', () => {
    for (let index = 0; index < 50; index += 1) draw(`formula ${index}`, 60);
    assert.equal(drawn.length, 50);
  });

  it('draws large formulas in the next frames, in order', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) draw(name, 2000);
    assert.deepEqual(drawn, ['a', 'b']);
    nextFrame();
    assert.deepEqual(drawn, ['a', 'b', 'c', 'd']);
    nextFrame();
    assert.deepEqual(drawn, ['a', 'b', 'c', 'd', 'e']);
  });

  it('requests one frame at a time, and none without formulas', () => {
    for (let index = 0; index < 10; index += 1) draw('large', 4000);
    assert.equal(frames.length, 1);
    for (let frame = 0; frame < 10; frame += 1) nextFrame();
    assert.deepEqual([drawn.length, frames.length], [10, 0]);
  });

  it('counts the time of formulas that cannot be drawn', () => {
    for (let index = 0; index < 5; index += 1) draw(`broken ${index}`, 0, 15);
    assert.equal(drawn.length, 2);
    nextFrame();
    assert.equal(drawn.length, 4);
  });

  it('draws no formula before one that is waiting', () => {
    for (const name of ['a', 'b', 'c']) draw(name, 4000);
    nextFrame();
    assert.deepEqual(drawn, ['a', 'b']);
    draw('d', 60);
    nextFrame();
    nextFrame();
    assert.deepEqual(drawn, ['a', 'b', 'c', 'd']);
  });

  it('does not draw a waiting formula that was removed from the page', () => {
    draw('a', 4000);
    const cancel = draw('b', 60);
    draw('c', 60);
    cancel();
    nextFrame();
    assert.deepEqual(drawn, ['a', 'c']);
  });
});
