/** Lists that are too long to be rendered at once: their beginning or end, and a button for more. */
import assert from 'node:assert/strict';
import type { AnswerTurn, ChatTurn, ToolCallView } from '../../src/pages/chat/protocol.ts';
import { RUN } from '../gallery/chat/agentSamples.ts';
import { answer, user } from '../gallery/chat/samples.ts';
import { eventually } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const QUESTION = user('q', 'Go on');

function calls(count: number, prefix = 'c'): readonly ToolCallView[] {
  return Array.from({ length: count }, (_, nth) => ({
    id: `${prefix}${nth}`,
    name: `tool${nth}`,
    arguments: '',
    action: { kind: 'search', state: 'done', object: `object${nth}` } as const,
  }));
}

describe('a long list in the chat panel', () => {
  const shown = galleryForEach();

  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
  const count = (selector: string) => shown.page.locator(selector).count();

  async function showTurns(...turns: readonly ChatTurn[]): Promise<void> {
    await shown.gallery.show('conversation');
    await shown.gallery.tell({ type: 'turns', from: 0, turns });
  }

  const showAnswer = (rest: Partial<AnswerTurn>) => showTurns(QUESTION, answer('a', 'Yes.', rest));

  async function showRun(...steps: readonly AnswerTurn[]): Promise<void> {
    await shown.gallery.show('agent-run');
    await shown.gallery.tell({ type: 'turns', from: 0, turns: [user(RUN.id, 'Go on'), ...steps] });
  }

  const step = (nth: number, toolCalls: readonly ToolCallView[]) => answer(`s${nth}`, '', { run: RUN.id, toolCalls });

  it('of tool calls shows 200, and 200 more with each click', async () => {
    await showAnswer({ toolCalls: calls(450) });
    await button('Show 200 of 250 more').waitFor();
    assert.equal(await count('.tool-call'), 200);
    await button('Show 200 of 250 more').click();
    await button('Show 50 more').click();
    await eventually('all calls', async () => (await count('.tool-call')) === 450);
    assert.equal(await count('.show-more'), 0);
    const focused = await shown.page.evaluate(() => document.activeElement?.getAttribute('data-turn'));
    assert.equal(focused, 'a', 'the focus stays in the answer when the button is removed');
  });

  it('of sources is numbered on', async () => {
    await showAnswer({ citations: Array.from({ length: 230 }, (_, nth) => ({ url: `https://example.com/${nth}` })) });
    assert.equal(await count('.citations li'), 200);
    await button('Show 30 more').click();
    await shown.page.getByRole('link', { name: 'example.com/229' }).waitFor();
  });

  it('of actions of a step shows 200', async () => {
    await showRun(step(1, calls(1_000)));
    await button('Show 200 of 800 more').waitFor();
    assert.equal(await count('.step .action'), 200);
  });

  it('of steps of a run shows the latest, with their numbers', async () => {
    await showRun(...Array.from({ length: 300 }, (_, nth) => step(nth, calls(1, `s${nth}-`))));
    await shown.page.locator('.earlier-steps').click();
    await button('Show 100 earlier').waitFor();
    assert.deepEqual(
      [await shown.page.locator('.step').first().getAttribute('aria-label'), await count('.step')],
      ['Step 101', 200],
    );
    await button('Show 100 earlier').click();
    await shown.page.getByRole('article', { name: 'Step 1', exact: true }).waitFor();
  });

  it('of attachments shows 200', async () => {
    const files = Array.from({ length: 201 }, (_, nth) => ({ id: `f${nth}`, kind: 'file', label: 'a.ts' }) as const);
    await showTurns(user('q', 'Go on', files));
    await button('Show 1 more').waitFor();
    assert.equal(await count('.turns .chip'), 200);
  });

  describe('of turns', () => {
    const turns = Array.from({ length: 250 }, (_, nth) => [
      user(`q${nth}`, `Question ${nth}`),
      answer(`a${nth}`, 'Yes.'),
    ]);
    const top = (turnId: string) =>
      shown.page.locator(`[data-turn="${turnId}"]`).evaluate((turn) => Math.round(turn.getBoundingClientRect().top));

    it('shows the latest, and stays in its place when earlier ones are added', async () => {
      await showTurns(...turns.flat());
      const more = button('Show 200 of 300 earlier');
      await more.waitFor();
      assert.equal(await count('.turn'), 200);
      await more.scrollIntoViewIfNeeded();
      const before = await top('q150');
      await more.click();
      await shown.page.locator('[data-turn="q50"]').waitFor({ state: 'attached' });
      await eventually('the former place', async () => Math.abs((await top('q150')) - before) <= 2);
    });

    it('contains an earlier turn that is to be shown', async () => {
      await showTurns(...turns.flat());
      await shown.gallery.tell({ type: 'showTurn', turnId: 'q3' });
      await shown.page.locator('[data-turn="q3"]').and(shown.page.locator(':focus')).waitFor();
      assert.equal(await count('.turn'), 494);
    });
  });
});
