import assert from 'node:assert/strict';
import { conversationOf } from '../../../../src/editor/chat/conversation/conversation.ts';
import type { LiveConversation } from '../../../../src/editor/chat/conversation/liveConversation.ts';
import { EditedQuestion } from '../../../../src/editor/chat/editedQuestion.ts';
import type { ChatHostMessage } from '../../../../src/editor/chat/protocol.ts';
import { answer, question } from './records.ts';

function asQuestion(id: string) {
  return { role: 'user', id, text: '', attachments: [] } as const;
}

describe('a question that is edited', () => {
  const value = conversationOf('c', [
    question('q1', 'First?'),
    answer('a1', { parent: 'q1' }),
    question('q2', 'Second?'),
  ]);
  let changes: number;
  let posted: ChatHostMessage[];
  let edited: EditedQuestion;

  beforeEach(() => {
    changes = 0;
    posted = [];
    edited = new EditedQuestion({
      conversation: () => ({ value }) as LiveConversation,
      model: () => 'familya-sonnet-4.6',
      post: (message) => posted.push(message),
      onDidChange: () => {
        changes += 1;
      },
    });
  });

  it('is sent after what came before it, with the text that it has now', () => {
    edited.change({ turnId: 'q2', text: 'Second, and all that was pasted?' });
    const { entries, draft } = edited.parts;
    assert.deepEqual([entries.map(({ id }) => id), draft], [['q1', 'a1'], 'Second, and all that was pasted?']);
    assert.equal(changes, 1);
  });

  it('has its own attachments and model, of which the panel is told', () => {
    const file = { id: 'f', kind: 'file', label: 'a.ts', path: 'a.ts', languageId: 'typescript', text: 'a' } as const;
    edited.change({ turnId: 'q2', text: 'Second?' });
    edited.attach(file);
    edited.chooseModel('familya-opus-4.6');
    edited.change({ turnId: 'q2', text: 'Second, please?' });
    assert.deepEqual(edited.parts.attachments, [file]);
    assert.deepEqual(
      [edited.model, edited.versionOf(asQuestion('q2')).model],
      ['familya-opus-4.6', 'familya-opus-4.6'],
    );
    const view = { turnId: 'q2', attachments: [{ id: 'f', kind: 'file', label: 'a.ts' }], model: 'familya-opus-4.6' };
    assert.deepEqual(posted.at(-1), { type: 'change', change: { edited: view } });
    edited.detach('f');
    assert.deepEqual(edited.parts.attachments, []);
  });

  it('leaves no attachment and no model behind for the next one', () => {
    edited.change({ turnId: 'q2', text: 'Second?' });
    edited.chooseModel('familya-opus-4.6');
    edited.change(undefined);
    edited.attach({ id: 'f', kind: 'file', label: 'a', path: 'a', languageId: '', text: 'a' });
    edited.change({ turnId: 'q1', text: 'First?' });
    assert.deepEqual([edited.model, edited.parts.attachments], ['familya-sonnet-4.6', []]);
    assert.equal(edited.versionOf(asQuestion('q2')).model, 'familya-sonnet-4.6');
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
