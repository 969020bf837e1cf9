/** What users do with answers: the actions below them, their code, and while they arrive. In a plain browser. */
import assert from 'node:assert/strict';
import { codeKey } from '../../src/rules/codeKey.ts';
import { answer, user } from '../gallery/chat/samples.ts';
import { chooseForAnswer } from '../support/actionMenu.ts';
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

  describe('in their footer', () => {
    it('show actions on the last answer always, and on other answers on hover', async () => {
      await shown.gallery.show('conversation');
      const [first, final] = [shown.page.locator('.answer').first(), shown.page.locator('.answer').last()];
      const opacity = (turn: typeof first) =>
        turn.locator('.answer-actions').evaluate((one) => getComputedStyle(one).opacity);
      assert.equal(await opacity(final), '1');
      assert.equal(await opacity(first), '0');
      await first.hover();
      await eventually('the actions of the first answer', async () => (await opacity(first)) === '1');
    });

    it('ask another model the same question from the picker', async () => {
      await showAnswer('Because.');
      await chooseForAnswer(last(), 'Ask another model…');
      const filter = shown.page.getByRole('combobox', { name: 'Ask another model' });
      await filter.fill('opus-4.6');
      await filter.press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('askOther'), {
        type: 'askOther',
        turnId: 'a',
        models: ['familya-opus-4.6'],
      });
      assert.equal(await shown.gallery.lastPosted('chooseModel'), undefined);
      await shown.page.getByRole('button', { name: /^Model:/ }).click();
      await shown.page.getByRole('combobox', { name: 'Choose a model' }).waitFor();
    });

    it('ask several models the same question side by side', async () => {
      await showAnswer('Because.');
      await chooseForAnswer(last(), 'Ask several models side by side…');
      const options = shown.page.getByRole('listbox', { name: 'Models' }).getByRole('option');
      // The current one is chosen.
      await shown.page.getByRole('option', { selected: true }).filter({ hasText: 'familya-sonnet-4.6' }).click();
      for (const model of ['familya-haiku-4.5', 'familyc-5.4']) {
        await options.filter({ hasText: model }).first().click();
      }
      await shown.page.getByRole('button', { name: 'Ask', exact: true }).click();
      assert.deepEqual(await shown.gallery.awaitPosted('askOther'), {
        type: 'askOther',
        turnId: 'a',
        models: ['familya-haiku-4.5', 'familyc-5.4'],
      });
      // The next question goes to one model again.
      await shown.page.getByRole('button', { name: /^Model:/ }).waitFor();
    });

    it('keep the cost visible while another answer than the last one is hovered', async () => {
      await shown.gallery.show('conversation');
      const first = shown.page.locator('.answer').first();
      await first.hover();
      const [figures, actions] = await Promise.all(
        ['.figures.meta', '.answer-actions'].map((selector) => first.locator(selector).boundingBox()),
      );
      assert.ok(figures && actions && figures.y + figures.height <= actions.y);
    });

    it('say at a block of code that it was applied', async () => {
      await showAnswer('```ts src/a.ts\na();\n```\n\n```ts src/b.ts\nb();\n```');
      const applied = shown.page.locator('figure.code').getByText('Applied', { exact: true });
      assert.equal(await applied.count(), 0);
      await shown.gallery.tell({ type: 'applied', codes: [codeKey('b();')] });
      await shown.page
        .locator('figure.code')
        .nth(1)
        .getByText('Applied', { exact: true })
        .waitFor({ state: 'attached' });
      assert.equal(await applied.count(), 1);
    });

    it('apply each block that names its file, and omit the action if there is no code', async () => {
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
    it('collapse a complete block of more than 40 lines and expand it', async () => {
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

    it('keep the header of a block in view while it is scrolled', async () => {
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

    it('style three heading levels differently', async () => {
      await showAnswer('# One\n\n## Two\n\n### Three');
      const styles = await shown.page
        .locator('.markdown :is(h2, h3, h4)')
        .evaluateAll((headings) =>
          headings.map((heading) => `${getComputedStyle(heading).fontSize} ${getComputedStyle(heading).color}`),
        );
      assert.equal(new Set(styles).size, 3, styles.join(', '));
    });
  });

  describe('with formulas', () => {
    const formulas = () => last().locator('.formula');
    const COMPLEX = 'The formula is too complex to be drawn.';

    it('render ordinary, large, and numerous formulas', async () => {
      const matrix = `\\begin{pmatrix}${'1 & 0 & 0 & 0 & 0 & 0 \\\\ '.repeat(6)}\\end{pmatrix}`;
      const root = `${'\\sqrt{1 + '.repeat(8)}x${'}'.repeat(8)}`;
      const sums = '\\sum_{i=0}^n \\frac{a_i}{b_i} '.repeat(20);
      await showAnswer(
        `${[matrix, root, sums].map((tex) => `$$${tex}$$`).join('\n\n')}\n\n${'$a_1^2$ and '.repeat(60)}`,
      );
      await eventually('63 formulas', async () => (await last().locator('.formula .katex').count()) === 63);
      assert.deepEqual(await formulas().evaluateAll((all) => all.map((one) => one.title).filter(Boolean)), []);
    });

    it('render a formula with text in another script, and show the source if the text is too long', async () => {
      await showAnswer(`$$\\text{${'速度'.repeat(60)}}$$\n\n$$\\text{${'速度'.repeat(300)}}$$`);
      await formulas().first().locator('.katex').waitFor();
      const title = 'The formula is too long to be drawn.';
      await eventually('the reason', async () => (await formulas().nth(1).getAttribute('title')) === title);
    });

    for (const [name, tex] of [
      ['hundreds of cells', `\\begin{matrix}${`${'x&'.repeat(19)}x\\\\`.repeat(20)}\\end{matrix}`],
      ['groups nested deep', `${'\\sqrt{'.repeat(41)}x${'}'.repeat(41)}`],
      ['fences nested deep', `${'\\left('.repeat(41)}x${'\\right)'.repeat(41)}`],
    ] as const) {
      it(`show the source of a formula with ${name}, and the reason`, async () => {
        await showAnswer(`$$${tex}$$\n\n$$y$$`);
        await formulas().nth(1).locator('.katex').waitFor();
        await eventually('the reason', async () => (await formulas().first().getAttribute('title')) === COMPLEX);
        assert.equal(await formulas().first().textContent(), `$$${tex}$$`);
      });
    }
  });

  it('render each of many long footnotes when it scrolls into view', async () => {
    const table = `| a | b |\n    |-|-|\n${'    | c | d |\n'.repeat(60)}`;
    const sources = Array.from({ length: 30 }, (_, index) => `[^${index}]: ${table}`);
    await showAnswer(`${sources.map((_, index) => `[^${index}] `).join('')}\n\n${sources.join('\n')}`);
    const notes = last().locator('.footnotes li');
    await notes.last().getByRole('table').waitFor();
    assert.equal(await notes.count(), 30);
    await notes.first().scrollIntoViewIfNeeded();
    await notes.first().getByRole('table').waitFor();
  });

  describe('in progress', () => {
    it('queue a follow-up, which the host keeps and sends', async () => {
      await shown.gallery.show('streaming');
      await composer().fill('And then?');
      await shown.page.keyboard.press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('queue'), { type: 'queue', text: 'And then?' });
      assert.equal(await composer().inputValue(), '');
      await shown.gallery.tell({ type: 'change', change: { queued: 'And then?' } });
      await shown.page.getByRole('region', { name: 'Queued message' }).getByText('And then?').waitFor();
      await shown.gallery.tell({ type: 'change', change: { queued: '' } });
      await shown.page.getByRole('region', { name: 'Queued message' }).waitFor({ state: 'detached' });
    });

    it('show a queued follow-up legibly in a narrow panel and in a language with longer text', async () => {
      await shown.page.setViewportSize({ width: 300, height: 640 });
      await shown.gallery.show('streaming', { language: 'de' });
      await shown.gallery.tell({ type: 'change', change: { queued: 'Und welche Tests gibt es dazu?' } });
      const text = shown.page.locator('.queued-text');
      await text.filter({ hasText: 'Und welche Tests' }).waitFor();
      const share = await text.evaluate((one) => one.clientWidth / (one.parentElement?.clientWidth ?? 1));
      assert.ok(share > 0.4, `the message has ${share} of the row`);
    });

    it('keep a follow-up for manual sending or editing after an answer is stopped', async () => {
      await shown.gallery.show('streaming');
      await composer().fill('');
      await shown.gallery.tell({ type: 'change', change: { queued: 'And then?' } });
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(await lastId(), 'Half', { status: 'stopped' }) });
      await shown.page.getByRole('button', { name: 'Send Now' }).waitFor();
      await shown.page.getByRole('button', { name: 'Edit queued message' }).click();
      assert.equal(await composer().inputValue(), 'And then?');
      assert.ok(await shown.gallery.lastPosted('dropQueued'));
    });

    it('can be stopped before the answer begins', async () => {
      await shown.gallery.show('conversation');
      await shown.gallery.tell({ type: 'change', change: { isAsking: true } });
      await shown.page.getByRole('button', { name: 'Stop', exact: true }).click();
      assert.ok(await shown.gallery.awaitPosted('stop'));
      await shown.gallery.tell({ type: 'change', change: { isAsking: false } });
      await shown.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    });

    it('move the focus to the composer when the Stop button disappears', async () => {
      await shown.gallery.show('streaming');
      await shown.page.getByRole('button', { name: 'Stop', exact: true }).click();
      assert.ok(await shown.gallery.awaitPosted('stop'));
      await composer().and(shown.page.locator(':focus')).waitFor();
    });

    it('report an empty answer', async () => {
      await shown.gallery.show('streaming');
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(await lastId(), '', { status: 'complete' }) });
      await shown.page.getByText('The answer is empty.').waitFor();
    });

    it('report that no data has arrived for 12 seconds, and retry once stopped', async () => {
      const clock = await shown.gallery.installClock();
      await shown.gallery.show('streaming', { clock: 'live' });
      // The clock also advances by itself, so on a busy machine it may be later than 12 seconds already.
      await clock.runFor(11_000);
      assert.equal(await shown.page.getByText(/^No data for (?:\d|1[01]) s$/).count(), 0);
      await clock.runFor(3_000);
      await shown.page.getByRole('heading', { name: /^No data for \d\d s$/ }).waitFor();
      const id = await lastId();
      await shown.page.locator('.stall').getByRole('button', { name: 'Retry' }).click();
      assert.ok(await shown.gallery.awaitPosted('stop'));
      await shown.gallery.tell({ type: 'turnChanged', turn: answer(id, 'Half', { status: 'stopped' }) });
      await clock.runFor(1_000);
      assert.deepEqual(await shown.gallery.awaitPosted('step'), { type: 'step', step: 'retry', turnId: id });
    });

    const lastId = async () => (await shown.page.locator('.answer').last().getAttribute('data-turn')) ?? '';
  });

  it('move the focus to the composer after a fork and a deletion, when the buttons disappear', async () => {
    await shown.gallery.show('conversation');
    const last = shown.page.getByRole('article').last();
    await chooseForAnswer(last, 'Fork into a new chat');
    await shown.gallery.awaitPosted('fork');
    await composer().and(shown.page.locator(':focus')).waitFor();
    await chooseForAnswer(last, 'Delete answer');
    await shown.gallery.awaitPosted('removeTurn');
    await composer().and(shown.page.locator(':focus')).waitFor();
  });
});
