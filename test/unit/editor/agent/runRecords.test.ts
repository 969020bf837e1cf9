import assert from 'node:assert/strict';
import { deniedCall } from '../../../../src/editor/agent/runRecords.ts';
import type { AnswerTurn, RunAction, ToolCallView } from '../../../../src/pages/chat/protocol.ts';

describe('a denied call that the user allows after all', () => {
  const call = (id: string, object: string, by?: 'user' | 'rule'): ToolCallView => {
    const action: RunAction = { kind: 'command', state: by ? 'denied' : 'done', object, ...(by && { denied: { by } }) };
    return { id, name: 'run_command', arguments: '{}', action };
  };
  const step = (id: string, ...toolCalls: ToolCallView[]) => ({ id, toolCalls }) as unknown as AnswerTurn;

  it('is found even if other calls have the same ID', () => {
    const steps = [step('one', call('call_0', 'ls')), step('two', call('call_0', 'npm test', 'user'))];
    assert.deepEqual(deniedCall(steps, 'call_0')?.stepId, 'two');
    assert.equal(deniedCall(steps, 'call_0')?.call.action?.object, 'npm test');
  });

  it('is never another denied call with the same ID', () => {
    const steps = [step('one', call('call_0', 'rm x', 'user')), step('two', call('call_0', 'npm test', 'user'))];
    assert.throws(() => deniedCall(steps, 'call_0'), /Several denied calls/);
  });

  it('is none that a rule denied', () => {
    assert.equal(deniedCall([step('one', call('call_0', 'rm /', 'rule'))], 'call_0'), undefined);
  });
});
