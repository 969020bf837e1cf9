import assert from 'node:assert/strict';
import type { AnswerFigures, ChatHostMessage } from '../../../../src/pages/chat/protocol.ts';
import { reduce } from '../../../../src/panels/chat/reduce.ts';
import { chatState, question, reply } from './state.ts';

const FIGURES: AnswerFigures = { outputTokens: 3, estimated: true };

describe('the state after a host message', () => {
  it('is the snapshot, whatever the previous state', () => {
    const state = chatState({ title: 'New' });
    assert.equal(reduce(undefined, { type: 'state', state }), state);
    assert.equal(reduce(chatState(), { type: 'state', state }), state);
  });

  it('does not exist before the first snapshot', () => {
    assert.equal(reduce(undefined, { type: 'change', change: { title: 'New' } }), undefined);
  });

  it('applies the properties of a change and keeps the turns', () => {
    const before = chatState({ turns: [question('u')] });
    const after = reduce(before, { type: 'change', change: { title: 'New', model: 'x' } });
    assert.deepEqual(after, { ...before, title: 'New', model: 'x' });
    assert.equal(after?.turns, before.turns);
  });

  it('has an added turn at the end, once', () => {
    const message: ChatHostMessage = { type: 'turnAdded', turn: reply('b') };
    const after = reduce(reduce(chatState({ turns: [question('u')] }), message), message);
    assert.deepEqual(
      after?.turns.map(({ id }) => id),
      ['u', 'b'],
    );
  });

  it('has text and reasoning of a delta appended, and is then streaming', () => {
    const retry = { attempt: 1, attempts: 4, at: 0, waitMs: 0, reason: 'rateLimit' } as const;
    const before = chatState({ turns: [reply('b', { text: 'ab', reasoning: 'x', retry })] });
    const after = reduce(before, { type: 'delta', turnId: 'b', text: 'cd', reasoning: 'y', figures: FIGURES });
    assert.deepEqual(after?.turns, [
      reply('b', { text: 'abcd', reasoning: 'xy', status: 'streaming', figures: FIGURES }),
    ]);
  });

  it('keeps the identity of the turns that a delta does not affect', () => {
    const before = chatState({ turns: [question('u'), reply('b')] });
    const after = reduce(before, { type: 'delta', turnId: 'b', text: 'a', figures: FIGURES });
    assert.equal(after?.turns[0], before.turns[0]);
    assert.notEqual(after?.turns[1], before.turns[1]);
  });

  it('does not change for an unknown turn', () => {
    const before = chatState({ turns: [question('u')] });
    assert.equal(reduce(before, { type: 'delta', turnId: 'x', text: 'a', figures: FIGURES }), before);
    assert.equal(reduce(before, { type: 'turnChanged', turn: reply('x') }), before);
  });

  it('replaces the turns from an index on, and keeps the identity of those before it', () => {
    const before = chatState({ turns: [question('u'), reply('b'), question('v')] });
    const after = reduce(before, { type: 'turns', from: 1, turns: [reply('c')] });
    assert.deepEqual(after?.turns, [question('u'), reply('c')]);
    assert.equal(after?.turns[0], before.turns[0]);
    assert.deepEqual(reduce(before, { type: 'turns', from: 1, turns: [] })?.turns, [question('u')]);
  });

  it('applies deltas and changes to answers side by side', () => {
    const turns = [question('u'), { role: 'comparison', id: 'x', answers: [reply('b'), reply('c')] }] as const;
    const grown = reduce(chatState({ turns }), { type: 'delta', turnId: 'c', text: 'a', figures: FIGURES });
    const ended = reduce(grown, { type: 'turnChanged', turn: reply('b', { status: 'stopped' }) });
    assert.deepEqual(ended?.turns[1], {
      ...turns[1],
      answers: [reply('b', { status: 'stopped' }), reply('c', { text: 'a', status: 'streaming', figures: FIGURES })],
    });
  });
});
