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

  it('drops the oldest expanded parts to limit its size', () => {
    const webview = new Webview();
    const memory = webview.page();
    for (let count = 0; count < 500; count += 1) memory.setOpen(`reasoning ${count}`, true);
    assert.ok((webview.state?.open?.length ?? 0) <= 200);
    assert.ok(webview.page().open.value.has('reasoning 499'));
  });
});
