import assert from 'node:assert/strict';
import { PassedAnswer } from '../../../../src/gateway/usage/passedAnswer.ts';

const MB = 1024 * 1024;
const MAX_KEPT = 4 * MB;

describe('the part of an answer that is kept until its usage is known', () => {
  it('keeps 128 MB of all answers together, and the beginning of each', () => {
    const chunk = Buffer.alloc(MB / 4);
    const keptOfAll = { length: 0 };
    const answers = Array.from({ length: 100 }, () => {
      const answer = new PassedAnswer('messages', keptOfAll);
      answer.start({ status: 200, isEventStream: false, encoding: 'br', isNative: true });
      for (let sent = 0; sent < 2 * MAX_KEPT; sent += chunk.length) answer.add(chunk);
      return answer;
    });
    const keptBy = (answer: PassedAnswer | undefined) => Math.round((answer?.keptPart ?? 0) * 2 * MAX_KEPT);
    const kept = answers.map(keptBy);
    assert.equal(kept[0], MAX_KEPT);
    assert.equal(kept.at(-1), chunk.length);
    assert.ok(kept.reduce((sum, bytes) => sum + bytes) < 128 * MB + answers.length * chunk.length);

    for (const answer of answers) answer.release();
    const next = new PassedAnswer('messages', keptOfAll);
    next.add(chunk);
    next.add(chunk);
    assert.equal(next.keptPart, 1);
    next.release();
  });
});
