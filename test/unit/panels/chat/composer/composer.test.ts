import assert from 'node:assert/strict';
import type { AttachmentView } from '../../../../../src/pages/chat/protocol.ts';
import { type CursorPosition, type DraftKey, draftAction } from '../../../../../src/panels/chat/composer/draftKeys.ts';
import { groupModels, summary } from '../../../../../src/panels/chat/composer/modelList.ts';
import { chipIcon } from '../../../../../src/panels/chat/controls/chipIcon.ts';
import { largerModel, largestPart } from '../../../../../src/panels/chat/meter/contextWindow.ts';
import { costWith } from '../../../../../src/panels/chat/meter/requestCost.ts';
import { stepped } from '../../../../../src/panels/shared/keys.ts';
import { chatState, LARGE, SMALL } from '../state.ts';

const HERE: CursorPosition = { atStart: true, isEmpty: true, chooses: false, hasChips: true, chipSelected: false };

function key(name: string, rest: Partial<DraftKey> = {}): DraftKey {
  return { key: name, shiftKey: false, altKey: false, isComposing: false, keyCode: 0, ...rest };
}

describe('keyboard handling in the composer', () => {
  it('sends with Enter and adds a line with Shift+Enter', () => {
    assert.equal(draftAction(key('Enter'), HERE), 'send');
    assert.equal(draftAction(key('Enter', { shiftKey: true }), HERE), undefined);
  });

  it('never sends during input method composition', () => {
    assert.equal(draftAction(key('Enter', { isComposing: true }), HERE), undefined);
    assert.equal(draftAction(key('Enter', { keyCode: 229 }), HERE), undefined);
  });

  it('edits the last message with Up in an empty composer', () => {
    assert.equal(draftAction(key('ArrowUp'), HERE), 'editLast');
    assert.equal(draftAction(key('ArrowUp'), { ...HERE, isEmpty: false }), undefined);
  });

  it('stops with Escape', () => assert.equal(draftAction(key('Escape'), HERE), 'stop'));

  it('selects the last chip with Backspace at the start, and removes it with the next', () => {
    assert.equal(draftAction(key('Backspace'), HERE), 'selectChip');
    assert.equal(draftAction(key('Backspace'), { ...HERE, chipSelected: true }), 'removeChip');
    assert.equal(draftAction(key('Backspace'), { ...HERE, atStart: false }), undefined);
    assert.equal(draftAction(key('Backspace'), { ...HERE, hasChips: false }), undefined);
  });

  it('leaves other keys to the text field', () => assert.equal(draftAction(key('a'), HERE), undefined));
});

describe('the model list', () => {
  it('is grouped by family in catalog order', () => {
    assert.deepEqual(groupModels([LARGE, SMALL, { id: 'x', family: 'Family B' }], ''), [
      { family: 'Family B', models: [LARGE, { id: 'x', family: 'Family B' }] },
      { family: 'Family A', models: [SMALL] },
    ]);
  });

  it('shows the models that match every word of the filter', () => {
    const found = (filter: string) => groupModels([SMALL, LARGE], filter).flatMap(({ models }) => models);
    assert.deepEqual(found('small'), [SMALL]);
    assert.deepEqual(found('family b LARGE'), [LARGE]);
    assert.deepEqual(found('small large'), []);
  });

  it('wraps around at its ends', () => {
    assert.equal(stepped(-1, 1, 3), 0);
    assert.equal(stepped(-1, -1, 3), 2);
    assert.equal(stepped(2, 1, 3), 0);
    assert.equal(stepped(0, -1, 3), 2);
    assert.equal(stepped(0, 1, 0), -1);
  });

  it('shows what the request would cost, including the answer if one is expected', () => {
    assert.equal(costWith(LARGE, { state: 'known', inputTokens: 1000 }), 0.003);
    assert.equal(costWith(LARGE, { state: 'known', inputTokens: 1000, expectedOutputTokens: 100 }), 0.0045);
    assert.equal(costWith({ id: 'x', family: 'X' }, { state: 'known', inputTokens: 1000 }), undefined);
    assert.equal(costWith(LARGE, { state: 'counting' }), undefined);
  });

  it('summarizes only what is known about a model', () => {
    assert.equal(summary(LARGE), '200k · $3.00 in, $15.00 out per 1M');
    assert.equal(summary({ id: 'x', family: 'X', contextWindow: 8192 }), '8.2k');
    assert.equal(summary({ id: 'x', family: 'X', inputPrice: 3 }), '$3.00 in, – out per 1M');
    assert.equal(summary({ id: 'x', family: 'X' }), '');
  });
});

describe('handling a request over the context window', () => {
  const log: AttachmentView = { id: 'a', kind: 'file', label: 'server.log', tokens: 900 };

  it('names its largest part', () => {
    const estimate = { state: 'known', inputTokens: 2000, historyTokens: 700, messageTokens: 400 } as const;
    assert.deepEqual(largestPart(chatState({ estimate, attachments: [log] })), {
      kind: 'attachment',
      attachment: log,
      tokens: 900,
    });
    assert.deepEqual(largestPart(chatState({ estimate })), { kind: 'history', tokens: 700 });
  });

  it('suggests the smallest model with a large enough context window', () => {
    const huge = { ...LARGE, id: 'huge', contextWindow: 1_000_000 };
    const state = chatState({
      model: SMALL.id,
      catalog: { models: [huge, SMALL, LARGE], state: 'current' },
      estimate: { state: 'known', inputTokens: 2000 },
    });
    assert.equal(largerModel(state), LARGE);
    assert.equal(largerModel({ ...state, estimate: { state: 'known', inputTokens: 300_000 } }), huge);
    assert.equal(largerModel({ ...state, estimate: { state: 'known', inputTokens: 3_000_000 } }), undefined);
  });
});

describe('a chip’s icon', () => {
  const icon = (label: string, kind: 'file' | 'selection' = 'file') => chipIcon({ kind, label });

  it('distinguishes selections, tests, logs and other files', () => {
    assert.equal(icon('session.ts:42–67', 'selection'), 'list-selection');
    assert.equal(icon('auth.test.ts'), 'beaker');
    assert.equal(icon('test_auth.py'), 'beaker');
    assert.equal(icon('server.log'), 'output');
    assert.equal(icon('latest.ts'), 'file-code');
  });
});
