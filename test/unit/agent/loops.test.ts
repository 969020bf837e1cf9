import assert from 'node:assert/strict';
import { type FinishedCall, Loops } from '../../../src/agent/loops.ts';

const seen = (step: number, rest: Partial<FinishedCall> = {}): FinishedCall => ({
  step,
  call: 'run_command {"command":"npm test"}',
  object: 'npm test',
  result: 'Exit code 1.\nCannot find module',
  ...rest,
});
const edit = (step: number, before: string, after: string): FinishedCall =>
  seen(step, { call: `edit ${step}`, result: `${step}`, object: 'a.ts', edit: { path: 'a.ts', before, after } });

const changed = (from: string, to: string) => [
  { kind: 'removed', text: from, old: 1 },
  { kind: 'added', text: to, new: 1 },
];

describe('loop detection in an agent run', () => {
  it('detects the same call with the same result three times', () => {
    const loops = new Loops();
    assert.equal(loops.record(seen(1)), undefined);
    assert.equal(loops.record(seen(2, { result: 'Exit code 0.' })), undefined);
    assert.equal(loops.record(seen(3)), undefined);
    assert.deepEqual(loops.record(seen(5, { cost: 0.04 })), {
      kind: 'sameCall',
      detail: 'Exit code 1.',
      result: 'Exit code 1.\nCannot find module',
      steps: [
        { step: 1, object: 'npm test' },
        { step: 3, object: 'npm test' },
        { step: 5, object: 'npm test', cost: 0.04 },
      ],
    });
  });

  it('detects a file that returned to an earlier text twice', () => {
    const loops = new Loops();
    assert.equal(loops.record(edit(1, 'a', 'b')), undefined);
    assert.equal(loops.record(edit(2, 'b', 'a')), undefined);
    assert.deepEqual(loops.record(edit(3, 'a', 'b')), {
      kind: 'undoneEdits',
      detail: 'a.ts',
      steps: [
        { step: 1, object: 'a.ts', diff: changed('a', 'b') },
        { step: 2, object: 'a.ts', diff: changed('b', 'a') },
        { step: 3, object: 'a.ts', diff: changed('a', 'b') },
      ],
    });
  });

  it('does not flag edits that make progress', () => {
    const loops = new Loops();
    for (let step = 0; step < 20; step += 1)
      assert.equal(loops.record(edit(step, `${step}`, `${step + 1}`)), undefined);
  });

  it('tolerates as many rounds as the user allows', () => {
    const loops = new Loops();
    for (const step of [1, 2]) loops.record(seen(step));
    loops.allow(3);
    for (const step of [3, 4, 5]) assert.equal(loops.record(seen(step)), undefined);
    assert.ok(loops.record(seen(6)));
  });

  it('is reset by a user message', () => {
    const loops = new Loops();
    for (const step of [1, 2]) loops.record(seen(step));
    loops.reset();
    assert.equal(loops.record(seen(3)), undefined);
  });
});
