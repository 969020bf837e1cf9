import assert from 'node:assert/strict';
import { CallTimes } from '../../../src/calls/callTimes.ts';

describe('call timings', () => {
  it('take the first byte, first token and first text from the events that bring them', () => {
    const times = new CallTimes();
    const known = () => [times.firstByteMs, times.firstTokenMs].map((ms) => ms !== undefined);
    assert.deepEqual(known(), [false, false]);
    times.see({ type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } });
    assert.deepEqual(known(), [true, false]);
    times.see({ type: 'reasoningDelta', index: 0, text: 'Hm' });
    assert.deepEqual(known(), [true, true]);
    assert.equal(times.reasoningMs, undefined);
    times.see({ type: 'textDelta', index: 1, text: 'Good day.' });
    assert.ok((times.reasoningMs ?? 0) > 0);
  });

  it('have no reasoning time if the answer starts with text', () => {
    const times = new CallTimes();
    times.see({ type: 'textDelta', index: 0, text: 'Good' });
    times.see({ type: 'reasoningDelta', index: 1, text: 'Hm' });
    assert.equal(times.reasoningMs, undefined);
  });

  it('stop at the end of the call', () => {
    const times = new CallTimes();
    times.see({ type: 'textDelta', index: 0, text: 'Good' });
    assert.equal(times.isOver, false);
    times.end();
    const { durationMs, sinceFirstTokenMs } = times;
    times.end();
    assert.deepEqual([times.durationMs, times.sinceFirstTokenMs], [durationMs, sinceFirstTokenMs]);
    assert.equal(times.isOver, true);
  });
});
