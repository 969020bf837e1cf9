import assert from 'node:assert/strict';
import { assembleResponse } from '../../../src/formats/answer.ts';
import type { ChatEvent } from '../../../src/formats/conversation.ts';
import { StopSequences } from '../../../src/gateway/translation/stopSequences.ts';

const EVENTS = 100_000;
const logProb = { token: 'aaa', logProb: -1, top: [] };

/** Asserts on the time of the processor, not of the clock. With lists that are copied for each event, it is many seconds. */
function assertIsLinear(work: () => void): void {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 3_000_000, `${user + system} µs`);
}

function deltas(text: string): ChatEvent[] {
  return Array.from({ length: EVENTS }, () => ({ type: 'textDelta', index: 0, text, logProbs: [logProb] }));
}

describe('a stream of a hundred thousand tokens with their probabilities', () => {
  it('is joined to an answer in linear time', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm' },
      ...deltas('a'),
      { type: 'finish', reason: 'stop' },
    ];
    assertIsLinear(() => {
      const [part] = assembleResponse(events).parts;
      assert.ok(part?.type === 'text');
      assert.equal(part.text.length, EVENTS);
      assert.equal(part.logProbs?.length, EVENTS);
    });
  });

  it('is searched for stop sequences in linear time, also where tokens are longer than the text', () => {
    const stop = new StopSequences(['ab']);
    assertIsLinear(() => {
      const told = [{ type: 'textDelta', index: 0, text: 'a' } as const, ...deltas('')].flatMap((event) =>
        stop.event(event),
      );
      assert.deepEqual(told, []);
    });
  });
});
