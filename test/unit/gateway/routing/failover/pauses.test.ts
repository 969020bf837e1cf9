import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { type Failure, failureOfAnswer, failureOfEvent } from '../../../../../src/gateway/routing/failover/failure.ts';
import { Pauses } from '../../../../../src/gateway/routing/failover/pauses.ts';

const ERROR: ApiError = { kind: 'rateLimit', message: 'No.' };

describe('the pauses of an upstream', () => {
  let now: number;
  let pauses: Pauses;
  beforeEach(() => {
    now = 0;
    pauses = new Pauses(() => now);
  });

  const pauseAfter = (failure: Failure, model = 'm') => {
    pauses.failed('m', failure);
    const begun = now;
    while (pauses.isPaused(model)) now += 500;
    return now - begun;
  };

  it('grow with each rate limit, up to a minute, until an answer comes', () => {
    const lengths = Array.from({ length: 8 }, () => pauseAfter({ trigger: 'rate', error: ERROR }));
    assert.deepEqual(
      lengths,
      [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000),
    );
    pauses.succeeded('m');
    assert.equal(pauseAfter({ trigger: 'rate', error: ERROR }), 1000);
  });

  it('are listed with their reasons until they end', () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    try {
      pauses.failed('m', { trigger: 'gone', error: ERROR });
      now = 1000;
      mock.timers.tick(1000);
      pauses.failed('other', { trigger: 'credit', error: ERROR, retryAfterMs: 2000 });
      const gone = { model: 'm', reason: 'gone', since: 1_000_000, until: 1_300_000 };
      assert.deepEqual(pauses.problems, [{ reason: 'credit', since: 1_001_000, until: 1_003_000 }, gone]);
      now = 3000;
      mock.timers.tick(2000);
      assert.deepEqual(pauses.problems, [gone]);
      pauses.succeeded('m');
      assert.deepEqual(pauses.problems, []);
    } finally {
      mock.timers.reset();
    }
  });

  it('have the length that the upstream requests, for the model that it limits', () => {
    assert.equal(pauseAfter({ trigger: 'rate', error: ERROR, retryAfterMs: 7000 }), 7000);
    assert.equal(pauseAfter({ trigger: 'rate', error: ERROR }, 'other'), 0);
  });

  it('grow again after an upstream requested none', () => {
    assert.equal(pauseAfter({ trigger: 'rate', error: ERROR, retryAfterMs: 0 }), 0);
    assert.deepEqual(
      [1, 2].map(() => pauseAfter({ trigger: 'rate', error: ERROR })),
      [1000, 2000],
    );
  });

  it('grow while an upstream requests none and refuses again, until an answer comes', () => {
    const none: Failure = { trigger: 'rate', error: ERROR, retryAfterMs: 0 };
    assert.deepEqual(
      Array.from({ length: 4 }, () => pauseAfter(none)),
      [0, 1000, 2000, 4000],
    );
    pauses.succeeded('m');
    assert.equal(pauseAfter(none), 0);
  });

  it('count parallel refusals as one', () => {
    for (let nth = 0; nth < 6; nth += 1) pauses.failed('m', { trigger: 'rate', error: ERROR }, -1);
    now = 999;
    assert.ok(pauses.isPaused('m'));
    now = 1000;
    assert.ok(!pauses.isPaused('m'));
    assert.equal(pauseAfter({ trigger: 'rate', error: ERROR }), 2000);
  });

  it('have the longest length that parallel refusals request', () => {
    for (const retryAfterMs of [3000, 9000, 2000]) {
      pauses.failed('m', { trigger: 'rate', error: ERROR, retryAfterMs }, -1);
    }
    now = 8999;
    assert.ok(pauses.isPaused('m'));
    now = 9000;
    assert.ok(!pauses.isPaused('m'));
  });

  it('do not end with an answer to an earlier request', () => {
    now = 10;
    pauses.failed('m', { trigger: 'rate', error: ERROR, retryAfterMs: 7000 }, 5);
    pauses.failed('n', { trigger: 'auth', error: ERROR }, 5);
    pauses.succeeded('m', 9);
    now = 6000;
    assert.ok(pauses.isPaused('m') && pauses.isPaused('other'));
    pauses.succeeded('m', 6000);
    assert.ok(!pauses.isPaused('m') && !pauses.isPaused('other'));
  });

  it('apply to all models if the key or the credit is the cause', () => {
    assert.equal(pauseAfter({ trigger: 'auth', error: ERROR }, 'other'), 60_000);
    assert.equal(pauseAfter({ trigger: 'credit', error: ERROR }, 'other'), 600_000);
  });

  it('do not follow failures that do not predict the next result', () => {
    for (const trigger of ['server', 'network', 'idle', 'overflow', 'refusal', 'filter'] as const) {
      assert.equal(pauseAfter({ trigger, error: ERROR }), 0, trigger);
    }
  });
});

describe('the class of a failure', () => {
  const classOf = (status: number, message: string, code?: string) => {
    const body = Buffer.from(JSON.stringify({ error: { message, type: 'x', code } }));
    return failureOfAnswer({ status, headers: {}, body }, wireFormats['chat-completions']).trigger;
  };

  for (const [status, message, code, trigger] of [
    [429, 'You exceeded your current quota, please check your plan.', 'insufficient_quota', 'credit'],
    [429, 'You exceeded your current quota. Please retry in 20 s.', undefined, 'rate'],
    [400, 'Your credit balance is too low to access the API.', undefined, 'credit'],
    [402, 'Payment required', undefined, 'credit'],
    [400, 'This model’s maximum context length is 8192 tokens.', 'context_length_exceeded', 'overflow'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', undefined, 'overflow'],
    [413, 'Request too large', undefined, 'overflow'],
    [400, 'The response was filtered.', 'content_filter', 'filter'],
    [403, 'Your input was flagged by moderation.', undefined, 'filter'],
    [403, 'Not allowed for this project.', undefined, 'auth'],
    [401, 'Bad key.', undefined, 'auth'],
    [404, 'No such model.', undefined, 'gone'],
    [529, 'Overloaded.', undefined, 'server'],
    [400, 'temperature: must be a number', undefined, undefined],
    [422, 'max_tokens: too many for this model', undefined, undefined],
  ] as const) {
    it(`of ${status} "${message}" is ${trigger ?? 'the request itself'}`, () => {
      assert.equal(classOf(status, message, code), trigger);
    });
  }

  it('of an error event has the status of its code', () => {
    const error: ApiError = { kind: 'server', code: '502', message: 'Bad gateway' };
    assert.equal(failureOfEvent(error, wireFormats['chat-completions']).error.status, 502);
  });
});
