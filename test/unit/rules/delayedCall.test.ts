import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { DelayedCall } from '../../../src/rules/delayedCall.ts';

describe('a delayed call', () => {
  let made = 0;
  let call: DelayedCall;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    made = 0;
    call = new DelayedCall(() => {
      made += 1;
    }, 100);
  });
  afterEach(() => mock.timers.reset());

  it('is made once for all reasons within its delay, and again for later ones', () => {
    call.soon();
    mock.timers.tick(60);
    call.soon();
    mock.timers.tick(40);
    assert.equal(made, 1);
    call.soon();
    mock.timers.tick(100);
    assert.equal(made, 2);
  });

  it('waits for a pause in the reasons', () => {
    call.afterPause();
    mock.timers.tick(60);
    call.afterPause();
    mock.timers.tick(60);
    assert.equal(made, 0);
    mock.timers.tick(40);
    assert.equal(made, 1);
  });

  it('is not made for reasons before it was canceled', () => {
    call.soon();
    call.cancel();
    mock.timers.tick(100);
    assert.equal(made, 0);
    call.soon();
    mock.timers.tick(100);
    assert.equal(made, 1);
  });

  it('is not made after it was disposed', () => {
    call.soon();
    call.dispose();
    call.soon();
    call.afterPause();
    mock.timers.tick(100);
    assert.equal(made, 0);
  });
});
