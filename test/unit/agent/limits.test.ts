import assert from 'node:assert/strict';
import { Decisions } from '../../../src/agent/decisions.ts';
import { exceeded, LimitCheck } from '../../../src/agent/limits.ts';
import type { CapQuestion } from '../../../src/pages/chat/protocol.ts';

const PROGRESS = { step: 3, spent: 0.9, next: 0.05, openItems: 1 };
const LIMITS = { cap: 1, stepCap: 0, maxSteps: 50 };

describe('the limits of an agent run', () => {
  it('are exceeded by the step that would surpass them, not by one that reaches them', () => {
    assert.equal(exceeded(PROGRESS, LIMITS), undefined);
    assert.equal(exceeded({ ...PROGRESS, spent: 0.95 }, LIMITS), undefined);
    assert.equal(exceeded({ ...PROGRESS, spent: 0.951 }, LIMITS), 'run');
    assert.equal(exceeded(PROGRESS, { ...LIMITS, stepCap: 0.04 }), 'step');
    assert.equal(exceeded({ ...PROGRESS, step: 50 }, LIMITS), 'steps');
    assert.equal(exceeded({ ...PROGRESS, spent: 99 }, { ...LIMITS, cap: 0 }), undefined);
  });

  /** Answers each question with the next amount. */
  async function check(limits: typeof LIMITS, amounts: readonly (number | 'stop')[]) {
    const asked: CapQuestion[] = [];
    const stop = new AbortController();
    const left = [...amounts];
    const decisions = new Decisions(() => {
      const { question } = decisions;
      if (question?.type !== 'cap') return;
      asked.push(question);
      const answer = left.shift();
      queueMicrotask(() => (answer === 'stop' ? stop.abort() : decisions.answerCap(answer ?? 0)));
    });
    const raised = await new LimitCheck(decisions).check({ ...PROGRESS, spent: 0.99 }, limits, stop.signal);
    return { asked, raised };
  }

  it('prompt until they are raised far enough', async () => {
    const { asked, raised } = await check(LIMITS, [0.01, 0.5]);
    assert.deepEqual(
      asked.map(({ value }) => value),
      [1, 1.01],
    );
    assert.deepEqual(raised, { cap: 1.51 });
  });

  it('stop the run if they are not raised', async () => {
    assert.equal((await check(LIMITS, [0])).raised, undefined);
    assert.equal((await check(LIMITS, ['stop'])).raised, undefined);
    assert.equal((await check(LIMITS, [-1])).raised, undefined);
  });

  it('prompt for each limit that is exceeded', async () => {
    const { asked, raised } = await check({ cap: 1, stepCap: 0.01, maxSteps: 3 }, [25, 1, 0.5]);
    assert.deepEqual(
      asked.map(({ limit }) => limit),
      ['steps', 'run', 'step'],
    );
    assert.deepEqual(raised, { maxSteps: 28, cap: 2, stepCap: 0.51 });
  });
});
