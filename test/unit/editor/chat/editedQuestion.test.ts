import assert from 'node:assert/strict';
import { conversationOf } from '../../../../src/editor/chat/conversation/conversation.ts';
import type { LiveConversation } from '../../../../src/editor/chat/conversation/liveConversation.ts';
import { EditedQuestion } from '../../../../src/editor/chat/editedQuestion.ts';
import { answer, question } from './records.ts';

describe('a question that is edited', () => {
  const value = conversationOf('c', [
    question('q1', 'First?'),
    answer('a1', { parent: 'q1' }),
    question('q2', 'Second?'),
  ]);
  let changes: number;
  let edited: EditedQuestion;

  beforeEach(() => {
    changes = 0;
    edited = new EditedQuestion(
      () => ({ value }) as LiveConversation,
      () => {
        changes += 1;
      },
    );
  });

  it('is sent after what came before it, with the text that it has now', () => {
    edited.change({ turnId: 'q2', text: 'Second, and all that was pasted?' });
    const { entries, draft } = edited.parts;
    assert.deepEqual([entries.map(({ id }) => id), draft], [['q1', 'a1'], 'Second, and all that was pasted?']);
    assert.equal(changes, 1);
  });

  it('is nothing before, after, and in another conversation', () => {
    const nothing = { entries: [], draft: '', attachments: [] };
    assert.deepEqual(edited.parts, nothing);
    edited.change({ turnId: 'elsewhere', text: 'A question' });
    assert.deepEqual(edited.parts, nothing);
    edited.change({ turnId: 'q1', text: 'A question' });
    edited.change(undefined);
    assert.deepEqual(edited.parts, nothing);
  });
});
