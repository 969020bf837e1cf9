import assert from 'node:assert/strict';
import type { AnswerTurn, ChatTurn, RunAction } from '../../../../../src/pages/chat/protocol.ts';
import {
  isFinished,
  runChecks,
  runSum,
  type StepGroup,
  stepNumber,
  threadItems,
} from '../../../../../src/panels/chat/agent/runs.ts';
import { costText } from '../../../../../src/panels/chat/answer/costText.ts';
import { question, reply } from '../state.ts';

const READ: RunAction = { kind: 'read', state: 'done', object: 'a.ts' };

function step(id: string, action: RunAction = READ, rest: Partial<AnswerTurn> = {}): AnswerTurn {
  return reply(id, {
    run: 'q',
    status: 'complete',
    toolCalls: [{ id: `call ${id}`, name: 'read', arguments: '{}', action }],
    figures: { inputTokens: 100, cachedTokens: 60, outputTokens: 10, cost: 0.01, estimated: false },
    ...rest,
  });
}

function steps(count: number): readonly AnswerTurn[] {
  return Array.from({ length: count }, (_, index) => step(`s${index + 1}`));
}

const groupsOf = (turns: readonly ChatTurn[]) =>
  threadItems(turns).filter((item): item is StepGroup => item.kind === 'steps');

describe('the steps of an agent run', () => {
  it('form one group between the question and the report, with the last six visible', () => {
    const report = reply('r', { run: 'q', status: 'complete', text: 'Done.' });
    const items = threadItems([question('q'), ...steps(8), report]);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['turn', 'steps', 'turn'],
    );
    const [group] = groupsOf([question('q'), ...steps(8), report]);
    assert.equal(group?.first, 1);
    assert.equal(group?.folded, 2);
    assert.equal(group?.begins, true);
  });

  it('are divided by summaries, of which only the last one is sent', () => {
    const summary = (id: string) => reply(id, { run: 'q', status: 'complete', text: 'So far.', isSummary: true });
    const items = threadItems([question('q'), ...steps(2), summary('a'), step('s3'), summary('b')]);
    assert.deepEqual(
      items.map((item) => (item.kind === 'summary' ? item.isSent : item.kind)),
      ['turn', 'steps', false, 'steps', true],
    );
  });

  it('continue their numbering after an added message', () => {
    const turns = [question('q'), ...steps(5), question('m'), ...[6, 7].map((number) => step(`s${number}`))];
    const [before, after] = groupsOf(turns);
    assert.deepEqual([before?.first, before?.folded], [1, 1]);
    assert.deepEqual([after?.first, after?.folded], [6, 0]);
    assert.equal(after?.begins, false);
  });

  it('of two runs are in separate groups', () => {
    const other = step('o', READ, { run: 'q2' });
    assert.deepEqual(
      groupsOf([question('q'), step('s1'), other]).map(({ run, steps: { length } }) => [run, length]),
      [
        ['q', 1],
        ['q2', 1],
      ],
    );
  });

  it('do not change answers without a run', () => {
    const called = step('s1');
    const { run: _, ...plain } = called;
    assert.deepEqual(groupsOf([question('q'), plain]), []);
  });

  it('are numbered by all requests of the run', () => {
    const text = reply('t', { run: 'q', status: 'complete', text: 'First I look.' });
    const last = step('s2');
    assert.equal(stepNumber([question('q'), step('s1'), text, last], last), 3);
  });

  it('add up their figures, without unknown ones', () => {
    const { figures: _, ...unknown } = step('s2');
    assert.deepEqual(runSum([question('q'), step('s1'), unknown, step('o', READ, { run: 'q2' })], 'q'), {
      steps: 2,
      inputTokens: 100,
      cachedTokens: 60,
      outputTokens: 10,
      cost: 0.01,
    });
    assert.deepEqual(runSum([unknown], 'q'), { steps: 1 });
  });

  it('add up with what was paid for replaced answers, and with what a copy has cost the chat that it was copied from', () => {
    const figures = { outputTokens: 1, cost: 0.03, copiedCost: 0.02, estimated: false };
    const copied = { ...step('s2'), figures };
    const { cost, copiedCost } = runSum([question('q'), step('s1'), copied], 'q', 0.005);
    assert.deepEqual([cost?.toFixed(3), copiedCost], ['0.045', 0.02]);
    assert.deepEqual(
      [costText(figures), costText({ ...figures, copiedCost: 0.03 }), costText({ cost: 0.03 })],
      ['$0.0100 + $0.0200 copied', '$0.0300 copied', '$0.0300'],
    );
  });

  it('name the last result of each command that ran', () => {
    const command = (id: string, object: string, exitCode: number) =>
      step(id, { kind: 'command', state: 'done', object, exitCode });
    const turns = [
      question('q'),
      step('s1', { kind: 'edit', state: 'done', object: 'a.ts' }),
      command('s4', 'npm test', 1),
      command('s5', 'npm run lint', 0),
      command('s6', 'npm test', 0),
      step('s7', { kind: 'command', state: 'denied', object: 'npm publish' }),
    ];
    assert.deepEqual(runChecks(turns, 'q'), [
      { command: 'npm run lint', exitCode: 0 },
      { command: 'npm test', exitCode: 0 },
    ]);
  });

  it('are finished when all their actions are decided and done', () => {
    assert.equal(isFinished(step('s')), true);
    for (const state of ['failed', 'denied', 'interrupted'] as const) {
      assert.equal(isFinished(step('s', { ...READ, state })), true, state);
    }
    for (const state of ['waiting', 'running'] as const) {
      assert.equal(isFinished(step('s', { ...READ, state })), false, state);
    }
    assert.equal(isFinished(step('s', READ, { status: 'streaming' })), false);
    assert.equal(isFinished(reply('r', { run: 'q', status: 'complete' })), false);
  });
});
