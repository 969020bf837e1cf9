import assert from 'node:assert/strict';
import type { KeptState } from '../../../../src/editor/chat/protocol.ts';
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

describe('what outlives the page of the panel', () => {
  it('is nothing in a new one', () => {
    const memory = new Webview().page();
    assert.equal(memory.draft, '');
    assert.equal(memory.placeIn('c'), undefined);
    assert.equal(memory.open.value.size, 0);
  });

  it('is the draft, the place of the reader and what was opened, each kept beside the others', () => {
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

  it('is no place in another conversation, and none at the end of one', () => {
    const webview = new Webview();
    const memory = webview.page();
    memory.setPlace(PLACE);
    assert.equal(memory.placeIn('another'), undefined);
    memory.setPlace(undefined);
    assert.equal(webview.page().placeIn('c'), undefined);
  });

  it('forgets what was opened first, rather than growing without end', () => {
    const webview = new Webview();
    const memory = webview.page();
    for (let count = 0; count < 500; count += 1) memory.setOpen(`reasoning ${count}`, true);
    assert.ok((webview.state?.open?.length ?? 0) <= 200);
    assert.ok(webview.page().open.value.has('reasoning 499'));
  });
});
