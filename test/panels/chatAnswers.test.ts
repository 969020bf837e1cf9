/** What users do with answers: the actions below them, their code, and while they arrive. In a plain browser. */
import assert from 'node:assert/strict';
import { answer, user } from '../../src/panels/chat/gallery/samples.ts';
import { eventually } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const LINES = Array.from({ length: 58 }, (_, index) => `const line${index} = ${index};`).join('\n');

describe('answers in the chat panel', () => {
  const shown = galleryForEach();

  const composer = () => shown.page.getByRole('textbox', { name: 'Message' });
  const last = () => shown.page.getByRole('article').last();

  async function showAnswer(text: string): Promise<void> {
    await shown.gallery.show('conversation');
    await shown.gallery.tell({ type: 'turns', from: 0, turns: [user('q', 'Why?'), answer('a', text)] });
    await last().locator('.answer-body').waitFor();
  }

  describe('at their foot', () => {
    it('show their actions on the last one without pointing at it, and on others when they are pointed at', async () => {
      await shown.gallery.show('conversation');
      const [first, final] = [shown.page.locator('.answer').first(), shown.page.locator('.answer').last()];
      const opacity = (turn: typeof first) =>
        turn.locator('.answer-actions').evaluate((one) => getComputedStyle(one).opacity);
      assert.equal(await opacity(final), '1');
      assert.equal(await opacity(first), '0');
      await first.hover();
      await eventually('the actions of the first answer', async () => (await opacity(first)) === '1');
    });

    it('ask another model the same question, by the picker', async () => {
      await showAnswer('Because.');
      await shown.page.getByRole('button', { name: 'Ask another model…' }).click();
      const filter = shown.page.getByRole('combobox', { name: 'Ask another model' });
      await filter.fill('opus-4.6');
      await filter.press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('askOther'), {
        type: 'askOther',
        turnId: 'a',
        model: 'familya-opus-4.6',
      });
      assert.equal(await shown.gallery.lastPosted('chooseModel'), undefined);
      await shown.page.getByRole('button', { name: /^Model:/ }).click();
      await shown.page.getByRole('combobox', { name: 'Choose a model' }).waitFor();
    });

    it('apply each block that names its file, and offer nothing to apply without code', async () => {
      await showAnswer('```ts src/a.ts\na\n```\n\nAnd in `src/b.ts`:\n\n```ts\nb\n```\n\n```sh\nnpm test\n```');
      await shown.page.getByRole('button', { name: 'Apply to files' }).click();
      await shown.gallery.awaitPosted('applyCode');
      const applied = (await shown.gallery.posted()).filter((message) => message.type === 'applyCode');
      assert.deepEqual(
        applied.map(({ text, paths }) => [text, ...paths]),
        [
          ['a', 'src/a.ts'],
          ['b', 'src/b.ts'],
        ],
      );
      await showAnswer('No code here.');
      assert.equal(await shown.page.getByRole('button', { name: 'Apply to files' }).count(), 0);
    });
  });

  describe('with code', () => {
    it('fold a block of more than 40 lines once it is complete, and unfold it', async () => {
      await showAnswer(`\`\`\`ts src/long.ts\n${LINES}\n\`\`\``);
      const code = shown.page.locator('.code pre');
      const height = () => code.evaluate((one) => one.clientHeight);
      await shown.page.getByText('58 lines', { exact: true }).waitFor();
      assert.ok((await height()) <= 12 * 18);
      await shown.page.getByRole('button', { name: 'Show all 58 lines' }).click();
      await eventually('all lines', async () => (await height()) > 58 * 18);
      await shown.page.getByRole('button', { name: 'Show fewer lines' }).click();
      await eventually('some lines', async () => (await height()) <= 12 * 18);
    });

    it('keep the head of a block in sight while the block is read', async () => {
      await showAnswer(`\`\`\`ts src/long.ts\n${LINES}\n\`\`\``);
      await shown.page.getByRole('button', { name: 'Show all 58 lines' }).click();
      const thread = shown.page.locator('.thread');
      await thread.evaluate((scroller) => {
        const block = scroller.querySelector('.code');
        scroller.scrollTop += (block?.getBoundingClientRect().top ?? 0) - scroller.getBoundingClientRect().top + 300;
      });
      const top = await thread.evaluate((scroller) => scroller.getBoundingClientRect().top);
      await eventually('the head at the top', async () => {
        const box = await shown.page.locator('.code-head').boundingBox();
        return box !== null && Math.abs(box.y - top) <= 1;
      });
    });

    it('tell headings of three levels apart', async () => {
      await showAnswer('# One\n\n## Two\n\n### Three');
      const styles = await shown.page
        .locator('.markdown :is(h2, h3, h4)')
        .evaluateAll((headings) =>
          headings.map((heading) => `${getComputedStyle(heading).fontSize} ${getComputedStyle(heading).color}`),
        );
      assert.equal(new Set(styles).size, 3, styles.join(', '));
    });
  });

  describe('in progress', () => {
    it('let a follow-up wait, which is sent when the answer is complete', async () => {
      await shown.gallery.show('streaming');
      await composer().fill('And then?');
      await shown.page.keyboard.press('Enter');
      await shown.page.getByRole('region', { name: 'Queued message' }).getByText('And then?').waitFor();
      assert.equal(await composer().inputValue(), '');
      await composer().fill('And after that?');
      await shown.page.keyboard.press('Enter');
      assert.equal(await shown.gallery.lastPosted('send'), undefined);
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(await lastId(), 'Done.', { status: 'complete' }) });
      assert.deepEqual(await shown.gallery.awaitPosted('send'), {
        type: 'send',
        text: 'And then?\n\nAnd after that?',
        queued: true,
      });
      await shown.page.getByRole('region', { name: 'Queued message' }).waitFor({ state: 'detached' });
    });

    it('show a follow-up that waits before what is said about it, in a narrow panel and a longer language too', async () => {
      await shown.page.setViewportSize({ width: 300, height: 640 });
      await shown.gallery.show('streaming', { language: 'de' });
      await shown.page.getByRole('textbox').first().fill('Und welche Tests gibt es dazu?');
      await shown.page.keyboard.press('Enter');
      const text = shown.page.locator('.queued-text');
      await text.filter({ hasText: 'Und welche Tests' }).waitFor();
      const share = await text.evaluate((one) => one.clientWidth / (one.parentElement?.clientWidth ?? 1));
      assert.ok(share > 0.4, `the message has ${share} of the row`);
    });

    it('leave a follow-up to be sent by hand after an answer that was stopped, and let it be edited', async () => {
      await shown.gallery.show('streaming');
      await composer().fill('And then?');
      await shown.page.keyboard.press('Enter');
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(await lastId(), 'Half', { status: 'stopped' }) });
      await shown.page.getByRole('button', { name: 'Send Now' }).waitFor();
      assert.equal(await shown.gallery.lastPosted('send'), undefined);
      await shown.page.getByRole('button', { name: 'Edit queued message' }).click();
      assert.equal(await composer().inputValue(), 'And then?');
      await shown.page.getByRole('region', { name: 'Queued message' }).waitFor({ state: 'detached' });
    });

    it('leave the focus in the message when the button that stops them goes', async () => {
      await shown.gallery.show('streaming');
      await shown.page.getByRole('button', { name: 'Stop', exact: true }).click();
      assert.ok(await shown.gallery.awaitPosted('stop'));
      await composer().and(shown.page.locator(':focus')).waitFor();
    });

    it('say when they are empty', async () => {
      await shown.gallery.show('streaming');
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(await lastId(), '', { status: 'complete' }) });
      await shown.page.getByText('The answer is empty.').waitFor();
    });

    it('say when nothing has come for 12 seconds, and ask again once they are stopped', async () => {
      await shown.page.clock.install();
      await shown.gallery.show('streaming', { clock: 'live' });
      await shown.page.clock.runFor(11_000);
      assert.equal(await shown.page.getByText(/^No data for/).count(), 0);
      await shown.page.clock.runFor(3_000);
      await shown.page.getByRole('heading', { name: /^No data for 1[234] s$/ }).waitFor();
      const id = await lastId();
      await shown.page.locator('.stall').getByRole('button', { name: 'Retry' }).click();
      assert.ok(await shown.gallery.lastPosted('stop'));
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(id, 'Half', { status: 'stopped' }) });
      await shown.page.clock.runFor(1_000);
      assert.deepEqual(await shown.gallery.awaitPosted('step'), { type: 'step', step: 'retry', turnId: id });
    });

    const lastId = async () => (await shown.page.locator('.answer').last().getAttribute('data-turn')) ?? '';
  });
});
