/** The page of routes, in a plain browser. */
import assert from 'node:assert/strict';
import type { RouteForm } from '../../src/pages/routes/protocol.ts';
import type { RoutesPageMessage } from '../../src/pages/routes/routesMessages.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const PANEL = { panel: 'routes' } as const;

describe('the page of routes', () => {
  const shown = galleryForEach({ viewport: { width: 1280, height: 1400 } });

  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
  const field = (name: string) => shown.page.getByRole('textbox', { name, exact: true });
  const combobox = (name: string) => shown.page.getByRole('combobox', { name, exact: true });
  const focused = () => shown.page.locator(':focus');
  const sentences = () => shown.page.locator('.rule-sentence > span:last-child').allInnerTexts();

  /** Returns the routes that the page has sent last. */
  async function routes(): Promise<readonly RouteForm[]> {
    const posted = await shown.page.evaluate<RoutesPageMessage[]>('posted');
    return posted.flatMap((message) => ('routes' in message ? [message.routes] : [])).at(-1) ?? [];
  }

  async function lastTrial() {
    const last = (await shown.page.evaluate<RoutesPageMessage[]>('posted')).at(-1);
    return last?.type === 'check' && last.trial;
  }

  it('lists the rules as sentences, and says which model a request would get and why', async () => {
    await shown.gallery.show('routes', PANEL);
    assert.equal((await sentences())[1], 'If the request comes from a subagent and the agent is Explore, use fast');
    const answer = shown.page.locator('.answer');
    await answer.getByText('hosted/familya-opus-4.6').waitFor();
    await answer.getByText('Route “coding”, rule 5: it has more than 180,000 tokens.').waitFor();
    await answer.getByText('≈ $0.0050 for the input').waitFor();
    const [second, third] = await answer.getByRole('listitem').allInnerTexts();
    assert.equal(second, 'vendor/sonnet');
    assert.match(third ?? '', /^hosted\/familya-haiku-4\.5 ≈\s\$0\.0010 for the input$/);
  });

  it('asks for the requested model if there is none', async () => {
    await shown.gallery.show('routes', PANEL);
    await combobox('Requested model').fill('');
    await shown.page.locator('.answer').getByText('Enter a model first.', { exact: true }).waitFor();
  });

  it('sends the described request with each change, for the selected route at first', async () => {
    await shown.gallery.show('routes', PANEL);
    await button('fast').click();
    await field('Tools').fill('web_search, shell');
    await shown.page.getByLabel('Class').selectOption('auxiliary');
    await shown.page.getByRole('checkbox', { name: 'Contains an image' }).check();
    await eventuallyEqual<unknown>(lastTrial, {
      model: 'fast',
      requestClass: 'auxiliary',
      agent: '',
      tools: 'web_search, shell',
      tokens: '200000',
      hasImage: true,
    });
  });

  it('shows why the gateway avoids a target, in its row and in the answer', async () => {
    await shown.gallery.show('unhealthy', PANEL);
    await shown.page.locator('.target', { hasText: 'Paused until 14:05:30 after a rate limit.' }).waitFor();
    await shown.page.locator('.answer').getByText('Paused until 14:12:00: out of credit.').waitFor();
    await shown.gallery.tell({ type: 'health', health: {} });
    await shown.page.locator('.health').first().waitFor({ state: 'detached' });
  });

  it('tries a request of Traffic, and says what is not known of it until it is changed', async () => {
    await shown.gallery.show('routes', PANEL);
    await button('From Traffic…').click();
    assert.ok(await shown.gallery.awaitPosted('fromTraffic'));
    const trial = {
      model: 'fast',
      requestClass: 'subagent',
      agent: 'Explore',
      tools: '',
      tokens: '70',
      hasImage: false,
    };
    await shown.gallery.tell({ type: 'trial', trial, isComplete: false });
    assert.deepEqual(
      [await combobox('Requested model').inputValue(), await field('Input tokens').inputValue()],
      ['fast', '70'],
    );
    await eventuallyEqual<unknown>(lastTrial, trial);
    const note = shown.page.getByText('Tools and images of this request are unknown');
    await note.waitFor();
    await field('Tools').fill('shell');
    await note.waitFor({ state: 'detached' });
  });

  it('moves and deletes rules by keyboard, keeps the focus on them, and undoes the deletion', async () => {
    await shown.gallery.show('routes', PANEL);
    const before = await sentences();
    await shown.page.locator('[id="when.2"]').focus();
    await shown.page.keyboard.press('Alt+ArrowUp');
    await focused().and(shown.page.locator('[id="when.1"]')).waitFor();
    assert.deepEqual((await sentences()).slice(0, 3), [before[0], before[2], before[1]]);
    await shown.page.keyboard.press('Delete');
    await shown.page.getByRole('status').getByText('Rule 2 was deleted.').waitFor();
    await focused().and(shown.page.locator('[id="when.1"]')).waitFor();
    assert.equal((await sentences()).length, 4);
    await button('Undo').click();
    assert.equal((await sentences()).length, 5);
    await button('Move Rule 1 Down').click();
    assert.equal((await sentences())[1], before[0]);
  });

  it('adds a rule by its fields, with the focus in the first one', async () => {
    await shown.gallery.show('routes', PANEL);
    await button('Add Rule').click();
    await focused().and(shown.page.locator('[id="when.5.requestClass"]')).waitFor();
    await focused().selectOption('compaction');
    await shown.page.getByRole('listitem').getByRole('textbox', { name: 'Agent', exact: true }).fill('Explore');
    await shown.page.locator('[id="when.5.use.0"]').fill('local/qwen');
    assert.equal(
      (await sentences())[5],
      'If the request summarizes the session and the agent is Explore, use local/qwen',
    );
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.when[5], {
      requestClass: 'compaction',
      agent: 'Explore',
      tool: '',
      image: '',
      tokensAbove: '',
      tokensBelow: '',
      use: ['local/qwen'],
    });
  });

  it('moves targets by keyboard, and shows the prices of known ones', async () => {
    await shown.gallery.show('routes', PANEL);
    await shown.page.locator('.hint').getByText('$3.00 in, $15.00 out per 1M tokens').waitFor();
    await combobox('Target 1').press('Alt+ArrowDown');
    await focused().and(shown.page.locator('[id="use.1"]')).waitFor();
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.use, ['vendor/sonnet', 'familya-sonnet-4.6']);
    await button('Delete Target 1').click();
    await button('Add Target').click();
    await focused().and(combobox('Target 2')).fill('fast');
    await shown.page.locator('.hint').getByText('another route', { exact: true }).waitFor();
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.use, ['familya-sonnet-4.6', 'fast']);
  });

  it('creates a route, renames it with the targets that refer to it, and refuses a taken name', async () => {
    await shown.gallery.show('routes', PANEL);
    await button('fast').click();
    await field('Name').fill('gpt-5.6-luna');
    await field('Name').press('Tab');
    await shown.page.getByText('“gpt-5.6-luna” is already a route or an alias. Enter another name.').waitFor();
    assert.equal(await field('Name').getAttribute('aria-invalid'), 'true');
    await field('Name').fill('quick');
    await field('Name').press('Tab');
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.when[1]?.use, ['quick']);
    await button('New Route').click();
    await focused().and(field('Name')).waitFor();
    await shown.page.keyboard.type('slow');
    await shown.page.keyboard.press('Tab');
    await eventuallyEqual<unknown>(
      async () => (await routes()).map(({ name }) => name),
      ['coding', 'quick', 'searching', 'slow'],
    );
  });

  it('adds a ready-made route with a rule for short requests', async () => {
    await shown.gallery.show('routes', PANEL);
    await shown.page.getByText('Ready-made routes').click();
    await shown.page.getByRole('button', { name: 'Cheaper for short requests' }).click();
    await shown.page.getByText('If it has fewer than 8,000 tokens, use familya-haiku-4.5').waitFor();
    await eventuallyEqual(async () => (await routes()).at(-1)?.name, 'cheaper-when-short');
  });

  it('does not delete a route that another one uses', async () => {
    await shown.gallery.show('routes', PANEL);
    await button('fast').click();
    await button('Delete Route').click();
    await shown.page.getByRole('alert').getByText('The route “fast” is used by coding.').waitFor();
    await shown.page.locator('.route-row').first().click();
    await button('Delete Route').click();
    await shown.page.getByRole('status').getByText('The route “coding” was deleted.').waitFor();
    await focused().and(button('Undo')).waitFor();
    await shown.page.keyboard.press('Enter');
    await eventuallyEqual(async () => (await routes()).length, 3);
    await focused().and(field('Name')).waitFor();
  });

  it('lets a new route that was deleted at once be brought back, also if it was the only one', async () => {
    await shown.gallery.show('none', PANEL);
    await button('New Route').click();
    await field('Name').waitFor();
    await button('Delete Route').click();
    await focused().and(button('Undo')).waitFor();
    await shown.page.keyboard.press('Enter');
    await focused().and(field('Name')).waitFor();
  });

  it('says at the field what is wrong, offers a similar name, and saves nothing meanwhile', async () => {
    await shown.gallery.show('wrong', PANEL);
    await shown.page.getByText('3 mistakes').waitFor();
    await focused().and(shown.page.locator('[id="use.2"]')).waitFor();
    await shown.page.locator('[id="when.3.use.1"]').waitFor();
    assert.equal(await field('Silence').getAttribute('aria-invalid'), 'true');
    await shown.page.getByText('Enter a model or a route.').waitFor();
    await shown.page.getByText('The answer is shown here once all mistakes are corrected.').waitFor();
    await button('Use “fast”').click();
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.when[3]?.use, ['familyb-3-pro', 'fast']);
  });

  it('saves with Enter, also a name that was just typed, and says so', async () => {
    await shown.gallery.show('changed', PANEL);
    await shown.page.getByText('Not saved').waitFor();
    await field('Silence').fill('120');
    await field('Name').fill('code');
    await field('Name').press('Enter');
    await shown.page.getByRole('status').getByText('All changes are saved.').waitFor();
    assert.equal(await button('Save').count(), 0);
    const posted = await shown.page.evaluate<RoutesPageMessage[]>('posted');
    const saved = posted.find(({ type }) => type === 'save');
    assert.deepEqual(saved?.type === 'save' && [saved.routes[0]?.name, saved.routes[0]?.limits.idleSeconds], [
      'code',
      '120',
    ]);
  });

  it('asks which routes to keep if the setting was changed meanwhile', async () => {
    await shown.gallery.show('meanwhile', PANEL);
    await button('Keep Mine').click();
    await eventuallyEqual<unknown>(async () => (await routes())[0]?.also, ['overflow']);
    await button('Discard').click();
    await eventuallyEqual<unknown>(
      async () => (await routes()).map(({ name, also }) => [name, also]),
      [
        ['coding', ['overflow', 'credit']],
        ['fast', []],
      ],
    );
  });

  it('lists the aliases, and opens their setting', async () => {
    await shown.gallery.show('routes', PANEL);
    const aliases = shown.page.getByRole('region', { name: 'Aliases' });
    assert.deepEqual(await aliases.getByRole('listitem').allInnerTexts(), ['gpt-5.6-luna → fast']);
    await aliases.getByRole('button').click();
    const posted = () => shown.page.evaluate<RoutesPageMessage[]>('posted');
    await eventuallyEqual(async () => (await posted()).at(-1), { type: 'openSettings', setting: 'aliases' });
  });

  it('shows a setting that it cannot read, and opens it', async () => {
    await shown.gallery.show('unreadable', PANEL);
    await shown.page.getByRole('alert').getByText('"sometimes" is not allowed here.').waitFor();
    await button('Edit in settings.json').click();
    const posted = () => shown.page.evaluate<RoutesPageMessage[]>('posted');
    await eventuallyEqual(async () => (await posted()).at(-1), { type: 'openSettings', setting: 'routes' });
    assert.equal(await shown.page.getByRole('form').count(), 0);
  });

  it('fits from 285 to 1400 pixels, with the routes as a list of a field when it is narrow', async () => {
    for (const width of [285, 400, 640, 900, 1400]) {
      await shown.page.setViewportSize({ width, height: 900 });
      for (const state of ['rule', 'wrong', 'unreadable', 'team']) {
        await shown.gallery.show(state, PANEL);
        assert.equal(await shown.page.evaluate<number>('document.documentElement.scrollWidth'), width, state);
      }
    }
    await shown.page.setViewportSize({ width: 285, height: 900 });
    await shown.gallery.show('routes', PANEL);
    await shown.page.getByLabel('Route', { exact: true }).selectOption('fast');
    await eventually('the other route', async () => (await field('Name').inputValue()) === 'fast');
  });
});
