import assert from 'node:assert/strict';
import { DEFAULT_RETRY_POLICY, type RetryNotice, type RetryPolicy, withRetries } from '../../../src/service/retry.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { ManualClock } from '../../support/manualClock.ts';

function failure(status: number, headers: Record<string, string> = {}): ServiceError {
  return ServiceError.fromResponse(status, new Headers(headers), '');
}

const BROKEN = new ServiceError({ kind: 'network', message: 'broken', repeat: 'unsure' });

interface Run {
  readonly result: Promise<unknown>;
  readonly notices: RetryNotice[];
  tries(): number;
}

/** Fails with the errors in turn, then succeeds. Delays are skipped unless `wait` is true. */
function run(errors: Error[], policy: Partial<RetryPolicy> = {}, readsOnly = true, wait = false): Run {
  const notices: RetryNotice[] = [];
  let tries = 0;
  const send = async () => {
    const error = errors[tries];
    tries += 1;
    if (error !== undefined) throw error;
    return 'answer';
  };
  const onRetry = (notice: RetryNotice) => {
    notices.push(notice);
    if (!wait) notice.skip();
  };
  const clock = new ManualClock();
  const options = { policy: { ...DEFAULT_RETRY_POLICY, random: () => 1, ...policy }, clock, readsOnly, onRetry };
  return { result: withRetries(send, options), notices, tries: () => tries };
}

describe('withRetries', () => {
  it('does not retry after a success', async () => {
    const { result, tries } = run([]);
    assert.equal(await result, 'answer');
    assert.equal(tries(), 1);
  });

  it('retries up to the limit of the policy, then throws the last error', async () => {
    const errors = [failure(503), failure(500), failure(502), failure(503)];
    const { result, tries } = run(errors, { retries: 3 });
    await assert.rejects(result, errors[3]);
    assert.equal(tries(), 4);
  });

  it('throws errors that would recur immediately', async () => {
    const errors = [failure(401), new ServiceError({ kind: 'network', message: 'certificate' }), new TypeError('bug')];
    for (const error of errors) {
      const { result, tries } = run([error]);
      await assert.rejects(result, error);
      assert.equal(tries(), 1);
    }
  });

  it('reports each wait with its number, reason and error', async () => {
    const errors = [failure(429), failure(529), failure(500), failure(408), BROKEN];
    const { result, notices } = run(errors, { retries: 5 });
    await result;
    assert.deepEqual(
      notices.map(({ attempt, attempts, reason }) => [attempt, attempts, reason]),
      [
        [1, 5, 'rateLimit'],
        [2, 5, 'overloaded'],
        [3, 5, 'server'],
        [4, 5, 'timeout'],
        [5, 5, 'network'],
      ],
    );
  });

  it('doubles the maximum wait each time, up to a limit', async () => {
    const errors = Array.from({ length: 7 }, () => failure(503));
    const { result, notices } = run(errors, { retries: 7, firstWaitMs: 500, longestWaitMs: 8000 });
    await result;
    assert.deepEqual(
      notices.map(({ waitMs }) => waitMs),
      [500, 1000, 2000, 4000, 8000, 8000, 8000],
    );
  });

  it('randomizes the wait over its full range', async () => {
    const { result, notices } = run([failure(503)], { random: () => 0.25 });
    await result;
    assert.equal(notices[0]?.waitMs, 125);
  });

  it('waits as long as the service requests', async () => {
    const { result, notices } = run([failure(429, { 'retry-after': '7' })]);
    await result;
    assert.equal(notices[0]?.waitMs, 7000);
  });

  it('gives up if the service requests a longer wait than allowed', async () => {
    const error = failure(429, { 'retry-after': '61' });
    const { result, notices } = run([error]);
    await assert.rejects(result, error);
    assert.deepEqual(notices, []);
  });

  it('retries a read-only request after a lost connection as often as after other failures', async () => {
    const { result, tries } = run([BROKEN, BROKEN]);
    assert.equal(await result, 'answer');
    assert.equal(tries(), 3);
  });

  it('retries a generating request only once after a lost connection', async () => {
    const { result, tries } = run([BROKEN, BROKEN], { retries: 5 }, false);
    await assert.rejects(result, BROKEN);
    assert.equal(tries(), 2);
  });

  it('waits until the time has elapsed', async () => {
    const clock = new ManualClock();
    let tries = 0;
    const noticed = Promise.withResolvers<RetryNotice>();
    const send = async () => {
      tries += 1;
      if (tries === 1) throw failure(429, { 'retry-after': '7' });
    };
    const done = withRetries(send, { policy: DEFAULT_RETRY_POLICY, clock, readsOnly: true, onRetry: noticed.resolve });
    await noticed.promise;
    clock.advance(6999);
    await Promise.resolve();
    assert.equal(tries, 1);
    clock.advance(1);
    await done;
    assert.equal(tries, 2);
    assert.equal(clock.pending, 0);
  });

  it('ends the wait immediately when aborted, with the reason of the signal', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    let tries = 0;
    const send = async () => {
      tries += 1;
      throw failure(503);
    };
    const { signal } = controller;
    const onRetry = () => controller.abort(reason);
    await assert.rejects(
      withRetries(send, { policy: DEFAULT_RETRY_POLICY, clock, readsOnly: true, signal, onRetry }),
      reason,
    );
    assert.equal(tries, 1);
    assert.equal(clock.pending, 0);
  });

  it('does not start a wait if the attempt was aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const send = async () => {
      controller.abort(reason);
      throw failure(503);
    };
    const { signal } = controller;
    const onRetry = () => assert.fail('A wait was begun.');
    const options = { policy: DEFAULT_RETRY_POLICY, clock: new ManualClock(), readsOnly: true, signal, onRetry };
    await assert.rejects(withRetries(send, options), reason);
  });
});
