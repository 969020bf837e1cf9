import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { KeyLimits } from '../../../../src/gateway/core/keyLimits.ts';
import { KeyQueue, type QueuedRequest } from '../../../../src/gateway/rateLimits/keyQueue.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const isSent = ({ sent }: QueuedRequest) => sent !== undefined;

function start(limits: KeyLimits) {
  const clock = new ManualClock();
  const queue = new KeyQueue(limits, clock);
  const end = (request: QueuedRequest, tokens?: number) => {
    queue.leave(request);
    queue.settle(request, tokens);
  };
  return { clock, queue, end };
}

describe('the queue of a key', () => {
  it('sends the next request when one of the parallel requests has ended', () => {
    const { queue, end } = start({ parallel: 2 });
    const [first, second, third] = [queue.enter(0), queue.enter(0), queue.enter(0)];
    assert.deepEqual([first, second, third].map(isSent), [true, true, false]);
    assert.deepEqual(queue.blockOf(third), { limit: 'parallel' });
    end(second, 10);
    assert.equal(isSent(third), true);
    assert.equal(queue.blockOf(third), undefined);
  });

  it('sends a request a minute after the one that filled the limit', () => {
    const { clock, queue } = start({ requestsPerMinute: 2 });
    queue.enter(0);
    clock.advance(20_000);
    queue.enter(0);
    clock.advance(20_000);
    const third = queue.enter(0);
    assert.deepEqual(queue.blockOf(third), { limit: 'requestsPerMinute', ms: 20_000 });
    clock.advance(19_999);
    assert.equal(isSent(third), false);
    clock.advance(1);
    assert.equal(isSent(third), true);
  });

  it('sends a request when the end of another shows that it used less', () => {
    const { queue, end } = start({ tokensPerMinute: 100 });
    const first = queue.enter(80);
    const second = queue.enter(50);
    assert.equal(queue.blockOf(second)?.limit, 'tokensPerMinute');
    end(first, 50);
    assert.equal(isSent(second), true);
  });

  it('counts the actual usage of a request that used more', () => {
    const { clock, queue, end } = start({ tokensPerMinute: 100 });
    end(queue.enter(10), 100);
    const second = queue.enter(1);
    assert.equal(isSent(second), false);
    clock.advance(30_000);
    assert.equal(queue.blockOf(second), undefined);
  });

  it('sends a request with an estimate above the limit if nothing else was sent', () => {
    const { queue, end } = start({ tokensPerMinute: 100 });
    const first = queue.enter(10);
    const large = queue.enter(500);
    assert.equal(isSent(large), false);
    end(first, undefined);
    assert.equal(isSent(large), true);
  });

  it('keeps the order of arrival, even if a later request would fit', () => {
    const { queue, end } = start({ tokensPerMinute: 100 });
    const first = queue.enter(60);
    const large = queue.enter(90);
    const small = queue.enter(10);
    assert.deepEqual([large, small].map(isSent), [false, false]);
    end(first, 0);
    assert.deepEqual([large, small].map(isSent), [true, true]);
  });

  it('refuses a request after 30 seconds with the limit that it waited for, and counts nothing for it', async () => {
    const { clock, queue, end } = start({ parallel: 1, requestsPerMinute: 2 });
    const first = queue.enter(0);
    const second = queue.enter(0);
    clock.advance(30_000);
    assert.deepEqual(await second.turn.promise, { limit: 'parallel' });
    assert.equal(queue.left().requests?.remaining, 1);
    end(first, 0);
    assert.equal(isSent(queue.enter(0)), true);
  });

  it('sends the next request when the first in the queue has waited too long', () => {
    const { clock, queue } = start({ tokensPerMinute: 100 });
    queue.enter(60);
    clock.advance(1);
    const large = queue.enter(90);
    clock.advance(10_000);
    const small = queue.enter(30);
    clock.advance(20_000);
    assert.deepEqual([large, small].map(isSent), [false, true]);
  });

  it('removes a request that was aborted, and its successor moves up', () => {
    const { clock, queue, end } = start({ parallel: 1 });
    const first = queue.enter(0);
    const second = queue.enter(0);
    const third = queue.enter(0);
    queue.leave(second);
    end(first, 0);
    assert.deepEqual([second, third].map(isSent), [false, true]);
    end(third, 0);
    assert.equal(clock.pending, 0);
  });

  it('does not count a request that had its turn and was never sent', () => {
    const { queue, end } = start({ requestsPerMinute: 1 });
    end(queue.enter(0), undefined);
    assert.equal(isSent(queue.enter(0)), true);
  });

  it('applies changed limits to waiting requests immediately', () => {
    const { queue } = start({ parallel: 1 });
    queue.enter(0);
    const waiting = [queue.enter(0), queue.enter(0)];
    queue.limits = { parallel: 2 };
    assert.deepEqual(waiting.map(isSent), [true, false]);
    queue.limits = {};
    assert.deepEqual(waiting.map(isSent), [true, true]);
  });

  it('reports what runs, what counts in the last minute, and when this decreases', () => {
    const { clock, queue, end } = start({ parallel: 2, tokensPerMinute: 1_000 });
    const figures = () => {
      const { running, requests, tokens, frees } = queue.state;
      return { running, requests, tokens, frees };
    };
    assert.deepEqual(figures(), { running: 0, requests: 0, tokens: 0, frees: undefined });
    const first = queue.enter(100);
    clock.advance(20_000);
    queue.enter(200);
    queue.enter(300);
    assert.deepEqual(figures(), { running: 2, requests: 2, tokens: 300, frees: { inMs: 40_000, tokens: 100 } });
    end(first, 40);
    assert.deepEqual(figures(), { running: 2, requests: 3, tokens: 540, frees: { inMs: 40_000, tokens: 40 } });
    clock.advance(40_000);
    assert.deepEqual(figures(), { running: 2, requests: 2, tokens: 500, frees: { inMs: 20_000, tokens: 200 } });
  });

  it('reports the longest wait and the refusals of the day, and starts again at midnight', () => {
    const { clock, queue, end } = start({ parallel: 1 });
    const day = () => [queue.state.longestWaitMs, queue.state.refused];
    clock.set(new Date(2027, 0, 15, 12).getTime());
    const first = queue.enter(0);
    const second = queue.enter(0);
    clock.advance(11_000);
    end(first);
    assert.deepEqual(day(), [11_000, 0]);
    queue.enter(0);
    clock.advance(30_000);
    assert.deepEqual(day(), [30_000, 1]);
    queue.refused();
    assert.deepEqual(day(), [30_000, 2]);
    clock.set(new Date(2027, 0, 16).getTime());
    assert.deepEqual(day(), [0, 0]);
    end(second);
  });

  for (const hours of [-1, 1]) {
    it(`has capacity a minute later, and not before, if the system clock was set ${hours > 0 ? 'forward' : 'back'}`, () => {
      const { clock, queue } = start({ requestsPerMinute: 1 });
      queue.enter(0);
      clock.set(clock.now() + hours * 3_600_000);
      const next = queue.enter(0);
      clock.advance(29_000);
      assert.equal(isSent(next), false);
      queue.leave(next);
      clock.advance(31_000);
      assert.equal(isSent(queue.enter(0)), true);
    });
  }

  it('never exceeds a limit, in whatever order requests arrive, end, and leave', () => {
    const limits = { parallel: 3, requestsPerMinute: 10, tokensPerMinute: 1_000 };
    const step = fc.record({
      waitMs: fc.nat({ max: 20_000 }),
      tokens: fc.integer({ min: 1, max: 400 }),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.nat({ max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, queue } = start(limits);
        const open: QueuedRequest[] = [];
        const sent: QueuedRequest[] = [];
        for (const { waitMs, tokens, used, ends } of steps) {
          clock.advance(waitMs);
          open.push(queue.enter(tokens));
          for (const request of open.splice(0, ends)) {
            queue.leave(request);
            queue.settle(request, isSent(request) ? Math.floor(request.tokens * used) : undefined);
          }
          sent.push(...open.filter((request) => isSent(request) && !sent.includes(request)));
          const recent = sent.filter((request) => clock.now() - (request.sent?.at ?? 0) < 60_000);
          assert.ok(open.filter(isSent).length <= limits.parallel);
          assert.ok(recent.length <= limits.requestsPerMinute);
          assert.ok(recent.reduce((sum, request) => sum + (request.sent?.tokens ?? 0), 0) <= limits.tokensPerMinute);
        }
      }),
    );
  });
});
