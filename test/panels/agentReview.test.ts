/** The page that reviews changes, in a plain browser. */
import assert from 'node:assert/strict';
import type { ReviewPageMessage } from '../../src/pages/agentReview/reviewMessages.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const PANEL = { panel: 'agentReview' } as const;

describe('the page that reviews changes', () => {
  const shown = galleryForEach({ viewport: { width: 900, height: 900 } });

  const posted = () => shown.page.evaluate<ReviewPageMessage[]>('posted');
  const change = (number: number) => shown.page.getByRole('group', { name: `Change ${number} of 7` });
  const change1 = () => shown.page.getByRole('group', { name: 'Change 1 of 1' });
  const current = () => shown.page.locator('[aria-current="true"]');
  const file = (name: string) => shown.page.getByRole('region', { name });
  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });

  beforeEach(() => shown.gallery.show('changes', PANEL));

  it('counts what is left and marks the first open change', async () => {
    await shown.page.getByText('6 of 7 changes to review').first().waitFor();
    await shown.page.getByText('2 of 7', { exact: true }).waitFor();
    assert.equal(await current().getAttribute('aria-label'), 'Change 2 of 7');
    await file('src/quote.ts').getByText('2 of 3 left').waitFor();
    await file('src/quote.ts').getByText('lines 8 to 11').waitFor();
  });

  it('moves between the open changes by key and by button', async () => {
    await shown.page.keyboard.press('Alt+F5');
    await change(3).and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('Shift+Alt+F5');
    await shown.page.keyboard.press('Shift+Alt+F5');
    await change(7).and(shown.page.locator(':focus')).waitFor();
    await button('Next Change').click();
    await change(2).and(current()).waitFor();
  });

  it('shows a hidden change when the keys reach it', async () => {
    await button('Changes in quote.ts').click();
    await change(3).waitFor({ state: 'detached' });
    await shown.page.keyboard.press('Alt+F5');
    await change(3).and(shown.page.locator(':focus')).waitFor();
  });

  it('accepts and discards the current change by key and moves to the next', async () => {
    await shown.page.keyboard.press('Alt+Enter');
    await change(3).and(current()).waitFor();
    await shown.page.keyboard.press('Alt+Backspace');
    await change(4).and(current()).waitFor();
    const decisions = (await posted()).filter((message) => message.type === 'decide');
    assert.deepEqual(
      decisions.map(({ decision, changes }) => [decision, changes]),
      [
        ['accepted', [{ file: 'file:///sample/src/quote.ts', id: 'q2' }]],
        ['discarded', [{ file: 'file:///sample/src/quote.ts', id: 'q3' }]],
      ],
    );
    await file('src/quote.ts').getByText('0 of 3 left').waitFor();
    await shown.page.getByRole('status').getByText('Discarded. 4 of 7 changes to review').waitFor();
  });

  it('keeps the focus on the page when the pressed button is gone', async () => {
    await change(2).getByRole('button', { name: 'Accept', exact: true }).click();
    await change(3).and(shown.page.locator(':focus')).waitFor();
    await button('Discard All').click();
    await shown.page.locator('main:focus').waitFor();
    await shown.page.getByText('0 of 7 changes to review').first().waitFor();
    assert.equal(await button('Accept All').count(), 0);
  });

  it('decides on a file and on all', async () => {
    await file('test/quote.test.ts').getByRole('button', { name: 'Discard File' }).click();
    await file('test/quote.test.ts').getByText('Discarded').waitFor();
    await button('Accept All').click();
    const decisions = async () => (await posted()).filter((message) => message.type === 'decide');
    await eventuallyEqual<unknown>(
      async () => (await decisions()).map(({ decision, changes }) => [decision, changes.map(({ id }) => id)]),
      [
        ['discarded', ['t1']],
        ['accepted', ['q2', 'q3', 'c1', 'd1', 'b1']],
      ],
    );
  });

  it('undoes a decision, opens a file at its first change, and asks to restore', async () => {
    await button('Undo').click();
    await button('quote.ts').click();
    await button('Restore to Before This Turn…').click();
    await eventuallyEqual<unknown>(
      async () => (await posted()).slice(1),
      [
        { type: 'undo', file: 'file:///sample/src/quote.ts', id: 'q1' },
        { type: 'openFile', file: 'file:///sample/src/quote.ts', line: 14 },
        { type: 'restore' },
      ],
    );
    assert.equal(await file('notes.md').getByRole('button', { name: 'notes.md', exact: true }).count(), 0);
  });

  it('has words on the buttons of a file where its row has room for them, and otherwise icons with names', async () => {
    for (const width of [285, 340, 560, 900]) {
      await shown.page.setViewportSize({ width, height: 700 });
      for (const name of ['Accept File', 'Discard File']) {
        const shownButton = file('src/quote.ts').getByRole('button', { name });
        assert.equal(await shownButton.count(), 1);
        const isNarrow = width < 400;
        assert.equal(await shownButton.innerText(), isNarrow ? '' : name);
        if (isNarrow) assert.equal(await shownButton.getAttribute('title'), name);
      }
    }
  });

  it('has the buttons above each change in a narrow editor', async () => {
    await shown.page.setViewportSize({ width: 340, height: 700 });
    const lines = await change(2).locator('.code-lines').boundingBox();
    const buttons = await change(2).locator('.change-buttons').boundingBox();
    assert.ok(lines && buttons && buttons.y + buttons.height <= lines.y);
  });

  it('marks what differs within lines that replace each other', async () => {
    const marked = () =>
      shown.page.evaluate(() =>
        ['removed-words', 'added-words'].map((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
      );
    await shown.gallery.show('one change', PANEL);
    await eventuallyEqual<unknown>(marked, [['local'], ['abroad']]);
    await shown.gallery.show('empty', PANEL);
    await eventuallyEqual<unknown>(marked, [[], []]);
  });

  it('has the buttons of the change only if there is one, and names what is removed', async () => {
    await shown.gallery.show('one change', PANEL);
    await change1().waitFor();
    await shown.page.getByText('removes surcharge').waitFor();
    const names = await shown.page.getByRole('button').allInnerTexts();
    assert.deepEqual(
      names.filter((name) => /Accept|Discard|Previous|Next/.test(name)).map((name) => name.split(/\s/)[0]),
      ['Accept', 'Discard'],
    );
    await shown.page.getByText('1 line added, 1 line removed').first().waitFor({ state: 'attached' });
  });

  it('decides on all changes of a single file with the buttons of the bar only', async () => {
    await shown.gallery.show('sample', PANEL);
    await button('Accept All').waitFor();
    assert.equal(await button('Accept File').count(), 0);
  });

  it('says that there is nothing to review', async () => {
    await shown.gallery.show('empty', PANEL);
    await shown.page.getByText('There are no changes to review.').waitFor();
    assert.equal(await button('Accept All').count(), 0);
  });

  describe('of files that the user has edited too', () => {
    beforeEach(() => shown.gallery.show('edited', PANEL));

    it('is marked, and offers to resolve manually what cannot be discarded', async () => {
      await file('src/quote.ts').getByText('You edited this file too').waitFor();
      const change = shown.page.getByRole('group', { name: 'Change 2 of 5' });
      assert.equal(await change.getByRole('button', { name: 'Discard', exact: true }).count(), 0);
      await change.getByText('You edited these lines').waitFor();
      await change.getByRole('button', { name: 'Resolve Manually' }).click();
      await eventuallyEqual(async () => (await posted()).at(-1), {
        type: 'placeByHand',
        file: 'file:///sample/src/quote.ts',
        id: 'q2',
      });
    });

    it('shows a renamed file with its earlier path', async () => {
      await file('src/weights.ts').getByText('src/chargeableWeight.ts →').waitFor();
      await file('src/weights.ts').getByText('The file was renamed.').waitFor();
    });
  });

  describe('that an answer proposes', () => {
    beforeEach(() => shown.gallery.show('proposed', PANEL));

    it('has the cost of the answer in its head, and no checkpoint', async () => {
      await shown.page.locator('header').getByText('$0.0142').waitFor();
      assert.equal(await shown.page.locator('header').getByTitle('Cost of the answer').count(), 1);
      assert.equal(await button('Restore to Before This Turn…').count(), 0);
    });

    it('offers to discard a change, or to resolve it manually, where the user has edited its lines', async () => {
      const change = shown.page.getByRole('group', { name: 'Change 2 of 3' });
      await change.getByText('so the change cannot be accepted').waitFor();
      assert.equal(await change.getByRole('button', { name: 'Accept', exact: true }).count(), 0);
      await change.getByRole('button', { name: 'Resolve Manually' }).waitFor();
      await change.getByRole('button', { name: 'Discard', exact: true }).click();
      const decided = (last: ReviewPageMessage | undefined) =>
        last?.type === 'decide' && [last.decision, last.changes[0]?.id];
      await eventuallyEqual<unknown>(async () => decided((await posted()).at(-1)), ['discarded', 'q2']);
    });

    it('marks the sandbox’s sample money', async () => {
      await shown.gallery.show('sample', PANEL);
      await shown.page.locator('header').getByTitle('Cost of the answer, sample money').waitFor();
    });
  });

  it('shows the lines of created and deleted files, and asks for those that are hidden', async () => {
    await file('src/sumOf.ts').getByText('export function sumOf').waitFor();
    await file('notes.md').getByText('9 more changed lines').waitFor();
    await file('notes.md').getByRole('button', { name: 'Show All' }).click();
    await eventuallyEqual(async () => (await posted()).at(-1), {
      type: 'showAll',
      file: 'file:///sample/notes.md',
      id: 'd1',
    });
  });

  describe('restoring', () => {
    beforeEach(() => shown.gallery.show('restore', PANEL));

    const card = () => shown.page.getByRole('alertdialog', { name: 'Restore to before this turn' });

    it('lists what changes, and restores what is chosen', async () => {
      await card().getByText('src/quote.ts', { exact: true }).waitFor();
      await card().getByText('You edited src/quote.ts after the run.').waitFor();
      await card().getByRole('checkbox', { name: /^Chat/ }).uncheck();
      await card().getByRole('button', { name: 'Restore', exact: true }).click();
      await eventuallyEqual(async () => (await posted()).at(-1), { type: 'confirmRestore', files: true, chat: false });
    });

    it('does nothing when nothing is chosen, or it is canceled', async () => {
      await card().getByRole('checkbox', { name: /^Chat/ }).uncheck();
      await card()
        .getByRole('checkbox', { name: /^Files/ })
        .uncheck();
      assert.equal(await card().getByRole('button', { name: 'Restore', exact: true }).isDisabled(), true);
      await shown.page.keyboard.press('Escape');
      await card().waitFor({ state: 'detached' });
      await eventuallyEqual(async () => (await posted()).at(-1), { type: 'cancelRestore' });
    });
  });
});
