import assert from 'node:assert/strict';
import type { AnswerTurn, RunAction } from '../../../../../src/pages/chat/protocol.ts';
import { spokenStep, stepRows } from '../../../../../src/panels/chat/agent/stepText.ts';
import { reply } from '../state.ts';

function step(...actions: readonly RunAction[]): AnswerTurn {
  return reply('s', {
    run: 'q',
    status: 'complete',
    toolCalls: actions.map((action, index) => ({ id: `${index}`, name: action.kind, arguments: '{}', action })),
    figures: { outputTokens: 1, cost: 0.0412, estimated: false },
  });
}

function done(kind: RunAction['kind'], object: string, rest: Partial<RunAction> = {}): RunAction {
  return { kind, object, state: 'done', ...rest };
}

const rowsOf = (turn: AnswerTurn) => stepRows(turn).map(({ action: { object, note } }) => [object, note]);

describe('the rows of a step', () => {
  it('combine consecutive files that were read, with the sum of their lines', () => {
    const read = step(
      done('read', 'a.ts', { note: '1 line' }),
      done('read', 'b.ts', { note: '1,043 lines' }),
      done('search', 'x'),
      done('read', 'c.ts', { note: '2 lines' }),
    );
    assert.deepEqual(rowsOf(read), [
      ['a.ts, b.ts', '1,044 lines'],
      ['x', undefined],
      ['c.ts', '2 lines'],
    ]);
  });

  it('keep files that could not be read separate, and add up only line counts', () => {
    const { state: _, ...read } = done('read', 'b.ts');
    assert.equal(stepRows(step(done('read', 'a.ts'), { ...read, state: 'failed' })).length, 2);
    assert.deepEqual(rowsOf(step(done('read', 'a.ts', { note: 'empty' }), done('read', 'b.ts', { note: '2 lines' }))), [
      ['a.ts, b.ts', undefined],
    ]);
  });

  it('name a tool whose arguments are still streaming', () => {
    const [row] = stepRows(reply('s', { run: 'q', toolCalls: [{ id: '1', name: 'run_command', arguments: '' }] }));
    assert.deepEqual(row?.action, { kind: 'tool', state: 'running', object: 'run_command' });
  });
});

describe('the announcement of a step', () => {
  it('contains its number, the action, the result and the cost', () => {
    const command = step(done('command', 'npm test', { exitCode: 0 }));
    assert.equal(spokenStep(12, command), 'Step 12, npm test, exit 0, 4 cents');
  });

  it('names what was changed, denied or failed', () => {
    assert.equal(spokenStep(1, step(done('edit', 'a.ts', { added: 3 }))), 'Step 1, a.ts, 3 lines added, 4 cents');
    const denied: RunAction = { kind: 'command', object: 'rm -rf x', state: 'denied', denied: { by: 'rule' } };
    assert.equal(spokenStep(2, step(denied)), 'Step 2, rm -rf x, Denied by rule, 4 cents');
    assert.equal(
      spokenStep(3, step({ kind: 'edit', object: 'a.ts', state: 'failed' })),
      'Step 3, a.ts, Failed, 4 cents',
    );
    assert.equal(spokenStep(4, step(done('plan', ''))), 'Step 4, 4 cents');
  });

  it('has no row for an update of the plan beside other actions', () => {
    const rows = stepRows(step(done('plan', ''), done('edit', 'a.ts')));
    assert.deepEqual(
      rows.map(({ action }) => action.kind),
      ['edit'],
    );
  });
});
