import assert from 'node:assert/strict';
import type { UsagePlan } from '../../../../src/gateway/core/usagePlan.ts';
import { bounded, maxInput, maxOutput, type UnreportedOutput } from '../../../../src/gateway/usage/unreportedUsage.ts';
import { OutputSpeeds } from '../../../../src/ledger/outputSpeeds.ts';

const MODEL = { upstream: 'local', model: 'small' };
const PLAN: UsagePlan = { inputTokens: 2_000, maxOutputTokens: 64_000 };
/** An answer that ended by itself. */
const ENDED: UnreportedOutput = { model: MODEL, visible: 50, elapsedMs: 1_000, hasLeft: false };

/** Speeds of a model that has written 100 tokens per second in many answers. */
function learned(): OutputSpeeds {
  return new OutputSpeeds(() => new Array<number>(40).fill(100));
}

describe('the most output that an answer without usage can have had', () => {
  it('is what a model of unknown speed writes in the time', () => {
    assert.deepEqual(maxOutput(PLAN, ENDED, new OutputSpeeds()), {
      tokens: 1_000,
      reasoning: 950,
      bound: 'time',
    });
  });

  it('is what the model has been seen to write in the time, and a fifth more', () => {
    const { tokens, bound } = maxOutput(PLAN, ENDED, learned());
    assert.deepEqual([tokens, bound], [122, 'time']);
  });

  it('is what is shown if the model has no hidden reasoning', () => {
    const { tokens, reasoning, bound } = maxOutput({ ...PLAN, showsAll: true }, ENDED, learned());
    assert.deepEqual([tokens, reasoning, bound], [50, 0, 'visible']);
  });

  it('is what is shown if that arrived faster than a model writes', () => {
    const { tokens, bound } = maxOutput(PLAN, { ...ENDED, visible: 5_000, elapsedMs: 2 }, learned());
    assert.deepEqual([tokens, bound], [5_000, 'visible']);
  });

  it('is never more than the request allows', () => {
    const { tokens, bound } = maxOutput({ ...PLAN, maxOutputTokens: 100 }, ENDED, new OutputSpeeds());
    assert.deepEqual([tokens, bound], [100, 'reservation']);
  });

  it('includes what the model writes until it notices that its client has left', () => {
    const left = maxOutput(PLAN, { ...ENDED, hasLeft: true }, learned());
    assert.ok(left.tokens >= 300 && left.tokens < 400, String(left.tokens));
    const shown = maxOutput({ ...PLAN, showsAll: true }, { ...ENDED, hasLeft: true }, learned());
    assert.equal(shown.tokens, 135);
  });

  it('is several times as much for several answers', () => {
    assert.equal(maxOutput({ ...PLAN, answers: 3 }, ENDED, new OutputSpeeds()).tokens, 3_000);
  });

  it('follows from the speed that the operator of the upstream has set', () => {
    const speeds = (speed: number) => new Map([[MODEL.upstream, speed]]);
    assert.equal(maxOutput({ ...PLAN, maxSpeeds: speeds(200) }, ENDED, learned()).tokens, 200);
    const any = maxOutput({ ...PLAN, maxSpeeds: speeds(1e9) }, ENDED, learned());
    assert.deepEqual([any.tokens, any.bound], [64_000, 'reservation']);
    assert.equal(maxInput({ ...PLAN, text: { addedTokens: 0 } }, any, 10), 2_000);
  });
});

describe('the most input that a request can have had', () => {
  const output = maxOutput(PLAN, ENDED, learned());

  it('is counted if it is all text, with a margin and what the vendor may add', () => {
    assert.equal(maxInput({ ...PLAN, text: { addedTokens: 100 } }, output, 200), 330);
    assert.equal(maxInput({ ...PLAN, text: { addedTokens: 100 } }, output, 10_000), 2_000);
  });

  it('is what was planned if some of it cannot be counted', () => {
    assert.equal(maxInput(PLAN, output, 200), 2_000);
  });

  it('is what was reported', () => {
    const { usage, bound } = bounded(PLAN, { inputTokens: 300, output }, { inputTokens: 40, outputTokens: 1 });
    assert.deepEqual([usage.inputTokens, usage.outputTokens, bound], [40, output.tokens, 'time']);
  });
});

describe('the speed of a model', () => {
  it('is the highest of its latest answers, with a margin that is smaller the more there are', () => {
    const speeds = new OutputSpeeds();
    speeds.learn(MODEL, 100, 1_000);
    assert.equal(speeds.of(MODEL), 200);
    for (let answer = 0; answer < 60; answer++) speeds.learn(MODEL, 80, 1_000);
    assert.ok(speeds.of(MODEL) < 100, String(speeds.of(MODEL)));
  });

  it('is not learned from short answers, and not from answers that were replayed', () => {
    const speeds = new OutputSpeeds();
    speeds.learn(MODEL, 10, 1_000);
    speeds.learn(MODEL, 1_000, 10);
    speeds.learn({ ...MODEL, model: 'other' }, 100, 1_000);
    assert.equal(speeds.of(MODEL), 1_000);
  });
});
