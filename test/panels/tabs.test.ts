/** The traffic view and the usage view in a plain browser, through their galleries. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { STATES as CONNECT_STATES } from '../../src/panels/connectTool/gallery/states.ts';
import { STATES as KEY_STATES } from '../../src/panels/localKey/gallery/states.ts';
import { STATES as SESSION_STATES } from '../../src/panels/session/gallery/states.ts';
import { THEMES } from '../../src/panels/shared/gallery/themes.ts';
import { MANY, ROWS, RUNNING } from '../../src/panels/traffic/gallery/samples.ts';
import { STATES as TRAFFIC_STATES } from '../../src/panels/traffic/gallery/states.ts';
import { STATES as USAGE_STATES } from '../../src/panels/usage/gallery/states.ts';
import { eventually } from '../support/eventually.ts';
import { accessibilityViolations } from '../support/panels/accessibility.ts';
import { GalleryPage, lookAtStates } from '../support/panels/galleryPage.ts';
import { sameInBoth, shownTexts, wordsOfSources } from '../support/panels/shownTexts.ts';

/** The colored states together contain all surfaces that a theme colors. */
const TABS = [
  {
    panel: 'session',
    states: SESSION_STATES.map(({ name }) => name),
    coloured: ['running', 'failed'],
  },
  {
    panel: 'traffic',
    states: TRAFFIC_STATES.map(({ name }) => name),
    coloured: ['list', 'tree', 'tree-detail', 'detail', 'request', 'events', 'forgotten'],
  },
  {
    panel: 'usage',
    states: USAGE_STATES.map(({ name }) => name),
    coloured: ['month', 'failed'],
  },
  {
    panel: 'localKey',
    states: KEY_STATES.map(({ name }) => name),
    coloured: ['filled', 'wrong', 'created'],
  },
  {
    panel: 'connectTool',
    states: CONNECT_STATES.map(({ name }) => name),
    coloured: ['new', 'connected', 'failed', 'wrong'],
  },
] as const;
/** The states are shown in the dark theme. */
const OTHER_THEMES = THEMES.filter((name) => name !== 'dark');
const WIDTHS = [340, 560, 900, 1280];

const SIZE = { width: 1280, height: 800 };

let gallery: GalleryPage;
let page: Page;

describe('the tabs in a plain browser', () => {
  for (const { panel, states, coloured } of TABS) {
    const shownStates = states.filter((name) => name !== 'many');

    it(`have no faults for assistive technology in any theme: ${panel}`, () =>
      // Axe adds its script to the page, which the page's content security policy would block.
      lookAtStates(shownStates, { viewport: SIZE, bypassCSP: true }, async (shown, state) => {
        await shown.show(state, { panel });
        const body = shown.page.locator('body');
        assert.deepEqual(await accessibilityViolations(body, { isBarePage: true }), [], state);
        for (const theme of (coloured as readonly string[]).includes(state) ? OTHER_THEMES : []) {
          await shown.applyTheme(theme);
          const faults = await accessibilityViolations(body, { isBarePage: true, rules: ['color-contrast'] });
          assert.deepEqual(faults, [], `${state} in ${theme}`);
        }
      }));

    for (const language of ['de', 'zh-cn']) {
      it(`show no English words in ${language}, and fit into every width: ${panel}`, async () => {
        const english = await wordsOfSources([`src/panels/${panel}`, 'src/panels/shared', 'src/display']);
        const same = await sameInBoth(language);
        await lookAtStates(shownStates, { viewport: SIZE }, async (shown, state) => {
          await shown.show(state, { panel, language });
          const left = (await shownTexts(shown.page)).filter((text) => english.has(text) && !same.has(text));
          assert.deepEqual(left, [], `${state} has English words`);
          for (const width of WIDTHS) {
            await shown.page.setViewportSize({ width, height: 800 });
            const widest = await shown.page.evaluate<number>('document.documentElement.scrollWidth');
            assert.ok(widest <= width, `${state} is ${widest} wide in ${width}`);
          }
        });
      });
    }
  }
});

describe('the list of the traffic view in a plain browser', () => {
  const rows = () => page.locator('.grid-body').getByRole('row');
  const status = () => page.getByRole('status').filter({ hasText: /./ });
  const indices = () => rows().evaluateAll((found) => found.map((row) => Number(row.getAttribute('aria-rowindex'))));

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  it('has not all of many rows in the document, and the right ones after scrolling, in the order of reading', async () => {
    await gallery.show('many', { panel: 'traffic' });
    const body = page.locator('.grid-body');
    await eventually('the rows in sight', async () => (await rows().count()) > 20);
    for (const top of [28 * 100, 28 * 4_000, 28 * 37]) {
      await body.evaluate((element, to) => {
        element.scrollTop = to;
      }, top);
      const first = top / 28 + 2;
      await eventually(`row ${first} in sight, and all in order`, async () => {
        const drawn = await indices();
        return drawn.includes(first) && drawn.every((index, nth) => nth === 0 || index > (drawn[nth - 1] ?? 0));
      });
      assert.ok((await rows().count()) <= 1_200);
      const shown = page.locator(`[aria-rowindex="${first}"]`);
      const box = await shown.boundingBox();
      const grid = await body.boundingBox();
      assert.equal(Math.round(box?.y ?? 0), Math.round(grid?.y ?? -1));
    }
  });

  it('has the rows around those in sight in the document before they come into sight', async () => {
    await gallery.show('many', { panel: 'traffic' });
    // They are rendered in idle periods, which are rare on a busy machine. Far more than fit into the panel are enough.
    await eventually('200 rows', async () => (await rows().count()) >= 200, 100_000);
    const drawn = await indices();
    assert.deepEqual(
      drawn,
      Array.from({ length: drawn.length }, (_, nth) => nth + 2),
    );
  });

  it('goes on showing what is read when exchanges come', async () => {
    await gallery.show('list', { panel: 'traffic' });
    await gallery.tell({ type: 'live', rows: [] });
    await gallery.tell({
      type: 'list',
      choice: {},
      rows: MANY.slice(20),
      hasMore: false,
      exchanges: 4_980,
      cost: 1,
      sampleCost: 0,
    });
    const body = page.locator('.grid-body');
    const top = async () => body.evaluate((element) => element.scrollTop);
    await body.evaluate((element) => {
      element.scrollTop = 28 * 100;
    });
    const read = page.locator(`[id="exchange-${MANY[120]?.id}"]`);
    await read.waitFor();
    const before = await read.boundingBox();
    await gallery.tell({ type: 'newer', rows: MANY.slice(0, 20), exchanges: 5_000, cost: 1, sampleCost: 0 });
    await eventually('the place in the longer list', async () => (await top()) === 28 * 120);
    await eventually('its new number', async () => (await read.getAttribute('aria-rowindex')) === '122');
    assert.deepEqual(await read.boundingBox(), before);
    await body.evaluate((element) => {
      element.scrollTop = 0;
    });
    await page.locator(`[id="exchange-${MANY[0]?.id}"]`).waitFor();
    await eventually('all in order', async () => (await indices())[0] === 2);
  });

  it('says how many exchanges a filter lets through, and nothing of those that come', async () => {
    await gallery.show('list', { panel: 'traffic' });
    await gallery.tell({ type: 'newer', rows: [], exchanges: 15, cost: 1, sampleCost: 0 });
    assert.equal(await status().count(), 0);
    await page.getByRole('textbox', { name: 'Filter' }).fill('tool:chat');
    await status()
      .filter({ hasText: `${ROWS.length} requests` })
      .waitFor();
  });

  it('warns of secrets in a request, and filters the requests that have some', async () => {
    await gallery.show('secrets', { panel: 'traffic' });
    await page.getByText('The request seems to contain secrets: Database address with a password, github').waitFor();
    await page.getByRole('button', { name: 'Show requests with secrets' }).click();
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await eventually('the filter', async () => (await filter.inputValue()) === 'secret:any');
  });

  it('marks sample money of the sandbox in the list, its sums, and a request, and adds it to no money', async () => {
    await gallery.show('list', { panel: 'traffic' });
    const [first, second] = ROWS.filter(
      ({ bill, usageIsEstimated }) => bill !== undefined && usageIsEstimated !== true,
    );
    if (first === undefined || second === undefined) assert.fail('Too few requests have a bill.');
    const rows = [{ ...first, upstream: 'sandbox' }, second];
    await gallery.tell({ type: 'live', rows: [] });
    await gallery.tell({ type: 'list', choice: {}, rows, hasMore: false, exchanges: 2, cost: 0.02, sampleCost: 0.01 });
    await page.locator('.sums').filter({ hasText: '2 requests · $0.02 · sample $0.01' }).waitFor();
    const cost = (id: string) => page.locator(`[id="exchange-${id}"] .cost`);
    const colour = (id: string) => cost(id).evaluate((cell) => getComputedStyle(cell).color);
    assert.notEqual(await colour(first.id), await colour(second.id));
    assert.match((await cost(first.id).getAttribute('title')) ?? '', /sample \$/);
    await page.locator(`[id="exchange-${first.id}"]`).click();
    await page.locator('.tokens tfoot').filter({ hasText: 'sample $' }).waitFor();
    assert.equal(await page.locator('.tokens tfoot').getByText('Charged').count(), 0);
    await page.locator(`[id="exchange-${second.id}"]`).click();
    await page.locator('.tokens tfoot').filter({ hasText: 'Charged' }).waitFor();
  });

  it('says how the open exchange has ended', async () => {
    await gallery.show('running', { panel: 'traffic' });
    await gallery.tell({ type: 'live', rows: [{ ...RUNNING, end: 'upstreamFailed', status: 502 }] });
    await status().filter({ hasText: 'The request has ended: Failed' }).waitFor();
  });

  it('is used by the keyboard, from end to end', async () => {
    await gallery.show('many', { panel: 'traffic' });
    const grid = page.getByRole('grid', { name: 'Requests' });
    await grid.focus();
    await grid.press('End');
    await eventually('the last row in sight', async () => (await indices()).includes(5_002));
    await grid.press('PageUp');
    await grid.press('ArrowDown');
    await grid.press('Enter');
    await page.locator('section.detail').waitFor();
    const id = await grid.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`[id="${id}"]`).getAttribute('aria-selected'), 'true');
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('tab', { name: 'Request' }).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    await page.locator('section.detail').waitFor({ state: 'detached' });
    await page.locator('#exchanges:focus').waitFor();
  });
});

describe('the tree of sessions in a plain browser', () => {
  const tree = () => page.getByRole('treegrid', { name: 'Requests by session' });
  const row = (name: string | RegExp) => tree().locator('.grid-body').getByRole('row', { name });
  const active = async () => {
    const id = await tree().getAttribute('aria-activedescendant');
    return page.locator(`[id="${id}"] .node-name`).textContent();
  };

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  it('is used by the keyboard, as the trees of the editor', async () => {
    await gallery.show('tree-closed', { panel: 'traffic' });
    await tree().focus();
    assert.match((await active()) ?? '', /^Terminal agent/);
    await tree().press('ArrowRight');
    await row(/^Main agent/).waitFor();
    await tree().press('ArrowRight');
    assert.equal(await active(), 'Main agent');
    await tree().press('Enter');
    await row(/^Turn 18/).waitFor();
    await tree().press('ArrowLeft');
    await row(/^Turn 18/).waitFor({ state: 'detached' });
    await tree().press('ArrowLeft');
    assert.match((await active()) ?? '', /^Terminal agent/);
    await tree().press('Shift+Enter');
    const posted = await page.evaluate<{ type: string }[]>('posted');
    assert.deepEqual(
      posted.findLast(({ type }) => type === 'choose'),
      { type: 'choose', choice: { view: 'sessions', sessionId: '4f1c09ae77d2b603' } },
    );
  });

  it('opens the details of a request, and gets the focus back from them', async () => {
    await gallery.show('tree', { panel: 'traffic' });
    await tree().focus();
    await row(/14 requests|3 requests/)
      .first()
      .waitFor();
    await row(/Tools changed/).click();
    await page.locator('section.detail').waitFor();
    assert.equal(await row(/Tools changed/).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    await page.locator('#exchanges:focus').waitFor();
  });

  it('shows the newest turns of a session, and all others when they are asked for', async () => {
    await gallery.show('tree', { panel: 'traffic' });
    assert.equal(await row(/^Turn \d/).count(), 6);
    await row('12 earlier turns').click();
    await row(/^Turn 1 /).waitFor();
    assert.equal(await row(/^Turn \d/).count(), 18);
  });

  it('has only the rows in sight of a thousand in the document', async () => {
    await gallery.show('tree-many', { panel: 'traffic' });
    await row(/earlier turns/).click();
    await eventually('all rows', async () => (await tree().getAttribute('aria-rowcount')) === '1007');
    await tree().focus();
    await tree().press('End');
    await row('Without a session').waitFor();
    assert.ok((await tree().locator('.grid-body').getByRole('row').count()) < 100);
  });

  it('keeps showing what is read when requests come', async () => {
    await gallery.show('tree-many', { panel: 'traffic' });
    await row(/earlier turns/).click();
    const body = page.locator('.grid-body');
    await body.evaluate((element) => {
      element.scrollTop = 28 * 500;
    });
    const read = body.getByRole('row').and(page.locator('[aria-rowindex="510"]'));
    await read.waitFor();
    const id = await read.getAttribute('id');
    const before = await read.boundingBox();
    await gallery.tell({ type: 'live', rows: [RUNNING, { ...RUNNING, id: 'req_other' }] });
    const same = page.locator(`[id="${id}"]`);
    await eventually('its new place', async () => (await same.getAttribute('aria-rowindex')) === '512');
    assert.deepEqual(await same.boundingBox(), before);
  });
});

describe('the plots of the usage view in a plain browser', () => {
  it('have room for long amounts on their axis', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('cents', { panel: 'usage' });
    await shown.page.locator('.plot .axis-label').first().waitFor();
    const left = await shown.page.locator('.plot .axis-label').evaluateAll((labels) =>
      labels.map((label) => {
        const plot = label.closest('.plot');
        return label.getBoundingClientRect().left - (plot?.getBoundingClientRect().left ?? 0);
      }),
    );
    assert.ok(left.length > 0 && Math.min(...left) >= 0, `a label begins at ${Math.min(...left)}`);
    assert.match((await shown.page.locator('.plot').first().textContent()) ?? '', /\$0\.0000\d/);
    await shown.close();
  });
});

describe('the page of a session in a plain browser', () => {
  const posted = async () => (await page.evaluate<{ type: string }[]>('posted')).at(-1);

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  it('moves one band over its three plots, and opens the turn in the traffic', async () => {
    await gallery.show('running', { panel: 'session' });
    const plots = page.getByRole('img').and(page.locator('.plot'));
    await plots.nth(1).focus();
    await plots.nth(1).press('ArrowRight');
    await plots.nth(1).press('ArrowRight');
    assert.equal(await page.locator('.band').count(), 3);
    for (const readout of await page.locator('.plots .readout').all()) {
      assert.match((await readout.textContent()) ?? '', /^Turn 2 · /);
    }
    await plots.nth(1).press('Enter');
    const turn = await page.evaluate<{ from: number }>('posted.at(-1)');
    assert.deepEqual(await posted(), { type: 'showInTraffic', from: turn.from, to: turn.from + 60_001 });
  });

  it('has bars of several turns where there are too many', async () => {
    await gallery.show('long', { panel: 'session' });
    await page.locator('.plot svg').first().waitFor();
    const plot = page.locator('.plot').first();
    await plot.focus();
    await plot.press('ArrowRight');
    assert.match((await page.locator('.plots .readout').first().textContent()) ?? '', /^Turn 1–5 · /);
  });

  it('says what a session would have cost as a range, and which model has no room for it', async () => {
    await gallery.show('running', { panel: 'session' });
    const section = page.locator('.what-if');
    assert.match((await section.textContent()) ?? '', /sonnet-4\.6≈\s\$2\.20 to \$3\.00/);
    assert.match((await section.textContent()) ?? '', /does not fit, 83\.4k of 64k/);
    assert.match((await section.textContent()) ?? '', /Switching now to familya-sonnet-4\.6 writes 83\.4k tokens/);
  });
});
