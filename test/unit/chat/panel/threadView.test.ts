import assert from 'node:assert/strict';
import { ThreadView, turnsOf } from '../../../../src/chat/panel/turns.ts';
import type { ChatHostMessage, ChatTurn } from '../../../../src/pages/chat/protocol.ts';
import { answered, conversation, question } from '../conversation/records.ts';

describe('thread updates for the panel', () => {
  let heard: ChatHostMessage[];
  let view: ThreadView;

  beforeEach(() => {
    heard = [];
    view = new ThreadView((message) => heard.push(message));
  });

  const LINE = [question('q1'), ...answered('a1')];
  const turns = (...records: Parameters<typeof conversation>): ChatTurn[] => turnsOf(conversation(...records));

  it('contain each turn that was added at the end', () => {
    const before = turns(LINE);
    view.reset(before);
    const after = turns(LINE, question('q2'));
    view.update(after);
    assert.deepEqual(heard, [{ type: 'turnAdded', turn: after[2] }]);
  });

  it('are not sent if only the content of a turn has changed', () => {
    view.reset(turns(LINE));
    view.update(turns(LINE, { type: 'delta', id: 'a1', text: 'more' }));
    assert.deepEqual(heard, []);
  });

  it('contain the thread from the first turn that differs', () => {
    view.reset(turns(LINE));
    const after = turns(LINE, answered('b1', 'B', { parent: 'q1' }));
    view.update(after);
    assert.deepEqual(heard, [{ type: 'turns', from: 1, turns: [after[1]] }]);
  });

  it('report removed turns', () => {
    view.reset(turns(LINE, question('q2')));
    view.update(turns(LINE));
    assert.deepEqual(heard, [{ type: 'turns', from: 2, turns: [] }]);
  });

  it('contain one turn for answers side by side', () => {
    view.reset(turns(question('q1')));
    const after = turns(
      question('q1'),
      answered('a', 'A', { parent: 'q1', comparison: 'x' }),
      answered('b', 'B', { parent: 'q1', comparison: 'x' }),
    );
    view.update(after);
    assert.deepEqual(heard, [{ type: 'turnAdded', turn: after[1] }]);
    assert.equal(after[1]?.role === 'comparison' && after[1].answers.length, 2);
  });
});
