import assert from 'node:assert/strict';
import { Delivery, type Step } from '../../../../../src/gateway/upstreams/sandbox/delivery.ts';

/** More than answers may take in one turn of the event loop. In milliseconds. */
const WORK_MS = 25;
const STEPS = 3;

function* steps(): Generator<Step, void> {
  for (let step = 0; step < STEPS; step++) yield { type: 'data', chunk: String(step) };
}

function work(): void {
  const end = performance.now() + WORK_MS;
  while (performance.now() < end);
}

describe('answers of the sandbox without pauses', () => {
  it('wait for each other, so that all together take one long step in a turn of the event loop', async () => {
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const startTurn = () => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      if (!isOver) setImmediate(startTurn);
    };
    startTurn();
    const answer = () =>
      new Promise<string>((resolve, reject) => {
        let text = '';
        new Delivery(steps(), {
          start: () => undefined,
          data: (chunk) => {
            inTurn += 1;
            text += chunk;
            work();
            return true;
          },
          end: () => resolve(text),
          fail: ({ message }) => reject(new Error(message)),
        });
      });
    const texts = await Promise.all([answer(), answer(), answer()]);
    isOver = true;
    startTurn();
    assert.deepEqual(texts, ['012', '012', '012']);
    assert.equal(most, 1);
  });
});
