import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { conversationOf } from '../../../../src/chat/conversation/conversation.ts';
import type { LiveConversation } from '../../../../src/chat/conversation/liveConversation.ts';
import type { Attachment } from '../../../../src/chat/conversation/record.ts';
import { EditedQuestion } from '../../../../src/editor/chat/editedQuestion.ts';
import type { ChatHostMessage } from '../../../../src/pages/chat/protocol.ts';
import { answer, question } from '../../chat/conversation/records.ts';

function asQuestion(id: string) {
  return { role: 'user', id, text: '', attachments: [] } as const;
}

describe('an edited question', () => {
  const value = conversationOf('c', [
    question('q1', 'First?'),
    answer('a1', { parent: 'q1' }),
    question('q2', 'Second?'),
  ]);
  let changes: number;
  let posted: ChatHostMessage[];
  let edited: EditedQuestion;
  /** The current versions of changed files, by the IDs of the attached ones. */
  let changed: Map<string, Attachment>;

  beforeEach(() => {
    changes = 0;
    posted = [];
    changed = new Map();
    edited = new EditedQuestion({
      conversation: { value } as LiveConversation,
      model: () => 'familya-sonnet-4.6',
      changed: async ({ id }) => changed.get(id),
      post: (message) => posted.push(message),
      onDidChange: () => {
        changes += 1;
      },
    });
  });

  it('is sent after the earlier turns, with its current text', () => {
    edited.change({ turnId: 'q2', text: 'Second, and all that was pasted?' });
    const { entries, draft } = edited.parts;
    assert.deepEqual([entries.map(({ id }) => id), draft], [['q1', 'a1'], 'Second, and all that was pasted?']);
    assert.equal(changes, 1);
  });

  it('has its own attachments and model, which are sent to the panel', () => {
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

  describe('with files that changed after they were attached', () => {
    const file = (id: string, text: string): Attachment => ({
      id,
      kind: 'file',
      label: `${id}.ts`,
      path: `${id}.ts`,
      languageId: 'typescript',
      text,
    });
    const [same, earlier, current] = [file('a', '1'), file('b', '2'), file('b2', '3')];
    const withFiles = conversationOf('c', [question('q1', 'First?', { attachments: [same, earlier] })]);
    const shownVersions = () =>
      posted.flatMap((message) =>
        message.type === 'change' && message.change.edited !== undefined
          ? [message.change.edited.attachments.map(({ version }) => version)]
          : [],
      );
    const texts = () => edited.parts.attachments.map(({ text }) => text);

    beforeEach(async () => {
      edited = new EditedQuestion({
        conversation: { value: withFiles } as LiveConversation,
        model: () => 'm',
        changed: async ({ id }) => changed.get(id),
        post: (message) => posted.push(message),
        onDidChange: () => undefined,
      });
      changed.set('b', current);
      edited.change({ turnId: 'q1', text: 'First?' });
      await setImmediate();
    });

    it('uses their current text and indicates it', () => {
      assert.deepEqual(texts(), ['1', '3']);
      assert.deepEqual(shownVersions(), [
        [undefined, undefined],
        [undefined, 'current'],
      ]);
    });

    it('restores their earlier text on request, and the current text again', () => {
      edited.exchange('b2');
      assert.deepEqual(
        [texts(), shownVersions().at(-1)],
        [
          ['1', '2'],
          [undefined, 'earlier'],
        ],
      );
      edited.exchange('b');
      assert.deepEqual(
        [texts(), shownVersions().at(-1)],
        [
          ['1', '3'],
          [undefined, 'current'],
        ],
      );
      edited.exchange('a');
      assert.deepEqual(texts(), ['1', '3']);
    });

    it('does not restore a removed file, or one of a question that is no longer being edited', async () => {
      edited.change(undefined);
      edited.change({ turnId: 'q1', text: 'First?' });
      edited.detach('b');
      await setImmediate();
      assert.deepEqual(texts(), ['1']);
      edited.change(undefined);
      edited.change({ turnId: 'q1', text: 'First?' });
      edited.change(undefined);
      await setImmediate();
      assert.deepEqual(texts(), []);
    });
  });

  it('leaves no attachments and no model for the next one', () => {
    edited.change({ turnId: 'q2', text: 'Second?' });
    edited.chooseModel('familya-opus-4.6');
    edited.change(undefined);
    edited.attach({ id: 'f', kind: 'file', label: 'a', path: 'a', languageId: '', text: 'a' });
    edited.change({ turnId: 'q1', text: 'First?' });
    assert.deepEqual([edited.model, edited.parts.attachments], ['familya-sonnet-4.6', []]);
    assert.equal(edited.versionOf(asQuestion('q2')).model, 'familya-sonnet-4.6');
  });

  it('is undefined before editing, after editing and in another conversation', () => {
    const nothing = { entries: [], draft: '', attachments: [] };
    assert.deepEqual(edited.parts, nothing);
    edited.change({ turnId: 'elsewhere', text: 'A question' });
    assert.deepEqual(edited.parts, nothing);
    edited.change({ turnId: 'q1', text: 'A question' });
    edited.change(undefined);
    assert.deepEqual(edited.parts, nothing);
  });
});
