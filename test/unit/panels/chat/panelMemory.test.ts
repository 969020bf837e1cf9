import assert from 'node:assert/strict';
import type { KeptState } from '../../../../src/pages/chat/protocol.ts';
import { PanelMemory } from '../../../../src/panels/chat/panelMemory.ts';

/** What the webview stores while pages are created and discarded. */
class Webview {
  state: KeptState | undefined;
  kept(): KeptState | undefined {
    return this.state;
  }
  keep(state: KeptState): void {
    this.state = state;
  }
  page(): PanelMemory {
    return new PanelMemory(this);
  }
}

const PLACE = { conversationId: 'c', turnId: 't3', offset: 40 };

describe('the saved state of the panel', () => {
  it('is empty in a new panel', () => {
    const memory = new Webview().page();
    assert.equal(memory.draft, '');
    assert.equal(memory.placeIn('c'), undefined);
    assert.equal(memory.open.value.size, 0);
  });

  it('contains the draft, the scroll position and the expanded parts independently', () => {
    const webview = new Webview();
    const before = webview.page();
    before.draft = 'half a thou';
    before.setPlace(PLACE);
    before.setOpen('reasoning t3', true);
    before.setOpen('reasoning t1', true);
    before.setOpen('reasoning t1', false);
    const after = webview.page();
    assert.equal(after.draft, 'half a thou');
    assert.deepEqual(after.placeIn('c'), PLACE);
    assert.deepEqual([...after.open.value], ['reasoning t3']);
  });

  it('has no scroll position for another conversation or at the end of one', () => {
    const webview = new Webview();
    const memory = webview.page();
    memory.setPlace(PLACE);
    assert.equal(memory.placeIn('another'), undefined);
    memory.setPlace(undefined);
    assert.equal(webview.page().placeIn('c'), undefined);
  });

  it('has a draft for each chat, and one for new chats, also after a reload', () => {
    const webview = new Webview();
    const place = (conversationId: string, questionId = 'q') => ({ conversationId, questionId });
    const memory = webview.page();
    assert.equal(memory.follow(place('a'), false), undefined);
    memory.draft = 'for a';
    assert.equal(memory.follow(place('b'), false), '');
    memory.draft = 'for b';
    assert.equal(memory.follow(place('new', ''), false), '');
    memory.draft = 'for a new one';
    const after = webview.page();
    assert.equal(after.follow(place('a'), true), 'for a');
    assert.equal(after.follow(place('newer', ''), false), 'for a new one');
    after.draft = '';
    assert.equal(after.follow(place('b'), false), 'for b');
    assert.equal(after.follow(place('newest', ''), false), '');
    assert.equal(after.follow(place('a'), false), 'for a');
  });

  it('keeps the draft when the first question of a new chat is sent, and drops one that was sent before a reload', () => {
    const webview = new Webview();
    const memory = webview.page();
    memory.follow({ conversationId: 'a', questionId: '' }, false);
    memory.draft = 'next';
    assert.equal(memory.follow({ conversationId: 'a', questionId: 'q' }, false), undefined);
    assert.equal(webview.page().follow({ conversationId: 'a', questionId: 'q' }, true), undefined);
    assert.equal(webview.page().follow({ conversationId: 'a', questionId: 'later' }, true), '');
  });

  it('forgets the oldest drafts to limit its size', () => {
    const webview = new Webview();
    const memory = webview.page();
    for (let count = 0; count < 200; count += 1) {
      memory.follow({ conversationId: `c${count}`, questionId: 'q' }, false);
      memory.draft = `draft ${count}`;
    }
    assert.ok(Object.keys(webview.state?.drafts ?? {}).length <= 50);
    assert.equal(webview.page().follow({ conversationId: 'c198', questionId: 'q' }, true), 'draft 198');
  });

  it('drops the oldest expanded parts to limit its size', () => {
    const webview = new Webview();
    const memory = webview.page();
    for (let count = 0; count < 500; count += 1) memory.setOpen(`reasoning ${count}`, true);
    assert.ok((webview.state?.open?.length ?? 0) <= 200);
    assert.ok(webview.page().open.value.has('reasoning 499'));
  });
});
