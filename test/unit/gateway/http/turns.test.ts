import assert from 'node:assert/strict';
import { accepted, nextTurn } from '../../../../src/gateway/http/turns.ts';

describe('the event loop turns for long tasks', () => {
  it('come one at a time and in order, with two rounds for other work before each', async () => {
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const order: number[] = [];
    const seen: number[] = [];
    const work = async (name: number) => {
      for (let step = 0; step < 3; step++) {
        await nextTurn();
        order.push(name);
        seen.push(rounds);
      }
    };
    await Promise.all([work(1), work(2)]);
    isOver = true;
    assert.deepEqual(order, [1, 2, 1, 2, 1, 2]);
    const between = seen.map((round, at) => round - (seen[at - 1] ?? 0));
    assert.ok(
      between.every((others) => others >= 2),
      between.join(' '),
    );
  });

  it('begin after the connections that wait, of which each round accepts one', async () => {
    let rounds = 0;
    const accept = () => {
      rounds += 1;
      if (rounds > 10) return;
      accepted();
      setImmediate(accept);
    };
    accept();
    await nextTurn();
    assert.ok(rounds > 10, `after ${rounds} rounds`);
  });
});
