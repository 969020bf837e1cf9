import assert from 'node:assert/strict';
import { assembleResponse, type ChatEvent } from '../../../src/formats/answer.ts';
import { StopSequences } from '../../../src/gateway/translation/stopSequences.ts';

const EVENTS = 100_000;
const logProb = { token: 'aaa', logProb: -1, top: [] };

function deltas(text: string): ChatEvent[] {
  return Array.from({ length: EVENTS }, () => ({ type: 'textDelta', index: 0, text, logProbs: [logProb] }));
}

/** Lists that are copied for each event would take many seconds. */
describe('a stream of 100,000 tokens with log probabilities', () => {
  it('is assembled into one answer', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm' },
      ...deltas('a'),
      { type: 'finish', reason: 'stop' },
    ];
    const [part] = assembleResponse(events).parts;
    assert.ok(part?.type === 'text');
    assert.equal(part.text.length, EVENTS);
    assert.equal(part.logProbs?.length, EVENTS);
  });

  it('is searched for stop sequences, even if its tokens are longer than its text', () => {
    const stop = new StopSequences(['ab']);
    const found = [{ type: 'textDelta', index: 0, text: 'a' } as const, ...deltas('')].flatMap((event) =>
      stop.event(event),
    );
    assert.deepEqual(found, []);
  });
});
