/** The traffic view and the usage view in a plain browser, through their galleries. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { UsagePageMessage } from '../../src/pages/usage/usageMessages.ts';
import { DETAILS, MANY, ROWS, RUNNING } from '../gallery/traffic/samples.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { GalleryPage } from '../support/panels/galleryPage.ts';

const SIZE = { width: 1280, height: 800 };

let gallery: GalleryPage;
let page: Page;

describe('the list of the traffic view in a plain browser', () => {
  const rows = () => page.locator('.grid-body').getByRole('row');
  const status = () => page.getByRole('status').filter({ hasText: /./ });
  const indices = () => rows().evaluateAll((found) => found.map((row) => Number(row.getAttribute('aria-rowindex'))));

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  it('renders only part of many rows, and the right ones in reading order after scrolling', async () => {
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

  it('renders the rows around the visible ones before they scroll into view', async () => {
    await gallery.show('many', { panel: 'traffic' });
    // They are rendered in idle periods, which are rare on a busy machine. Several times as many as fit into the panel are enough.
    await eventually('100 rows', async () => (await rows().count()) >= 100, 100_000);
    const drawn = await indices();
    assert.deepEqual(
      drawn,
      Array.from({ length: drawn.length }, (_, nth) => nth + 2),
    );
  });

  it('keeps the scroll position while new requests arrive', async () => {
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

  it('announces how many requests match a filter, but not new requests', async () => {
    await gallery.show('list', { panel: 'traffic' });
    await gallery.tell({ type: 'newer', rows: [], exchanges: 15, cost: 1, sampleCost: 0 });
    assert.equal(await status().count(), 0);
    await page.getByRole('textbox', { name: 'Filter' }).fill('tool:chat');
    await status()
      .filter({ hasText: `${ROWS.length} requests` })
      .waitFor();
  });

  it('warns about secrets in a request and filters the requests that contain secrets', async () => {
    await gallery.show('secrets', { panel: 'traffic' });
    await page.getByText('The request seems to contain secrets: Database address with a password, github').waitFor();
    await page.getByRole('button', { name: 'Show requests with secrets' }).click();
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await eventually('the filter', async () => (await filter.inputValue()) === 'secret:any');
  });

  it('explains a cache miss on request, including the reason reported by the upstream', async () => {
    await gallery.show('miss', { panel: 'traffic' });
    const why = page.getByRole('button', { name: 'Why?' });
    await why.focus();
    assert.equal(await why.getAttribute('aria-expanded'), 'false');
    await why.press('Enter');
    assert.equal(await why.getAttribute('aria-expanded'), 'true');
    const facts = page.locator('.miss dl');
    assert.deepEqual(await facts.locator('dt').allTextContents(), [
      'Missed',
      'Still read',
      'Cost',
      'How to avoid it',
      'Upstream says',
    ]);
    assert.equal(await facts.locator('dd').last().textContent(), 'tools_changed');
    await why.press('Enter');
    await facts.waitFor({ state: 'detached' });
  });

  it('shows each attempt with its status, time, and cost, and the rule that chose the models', async () => {
    await gallery.show('attempts', { panel: 'traffic' });
    const attempts = page.getByRole('list', { name: /^3 attempts/ }).getByRole('listitem');
    await attempts.first().waitFor();
    const shown = await attempts.evaluateAll((lanes) => lanes.map((lane) => lane.textContent));
    assert.deepEqual(shown, [
      'vendor/opus 529 overloaded · 1.1 s$0.00',
      'mirror/familyb-3-pro-preview timed out · 3.3 s≈\u2009$0.0250',
      'hosted/familyb-3-pro-preview 200 · 8.9 s$0.0585',
    ]);
    await page.getByText('coding, rule 3: the request offers the tool web_search').waitFor();
  });

  it('names the tool that changed, as long as the gateway remembers it', async () => {
    await gallery.show('miss', { panel: 'traffic' });
    const note = page.locator('.miss');
    await note.getByText('Tools changed').waitFor();
    assert.equal(await note.locator('code').count(), 0);
    const { record } = DETAILS;
    assert.ok(record !== undefined);
    const cacheMiss = { reason: 'tools_changed', missedTokens: 41_000, changed: 'mcp__jira' };
    const id = 'req_sample8';
    await gallery.tell({ type: 'details', id, details: { ...DETAILS, id, record: { ...record, cacheMiss } } });
    await note.locator('code').getByText('mcp__jira', { exact: true }).waitFor();
    const text = await note.evaluate((element) => element.textContent);
    assert.match(
      text ?? '',
      /^Tools changed mcp__jira: 41\.0k tokens were not read from the cache · \$0\.310 avoidable/,
    );
  });

  it('says once that amounts are of the sandbox, shows them in gray, and totals them separately', async () => {
    await gallery.show('list', { panel: 'traffic' });
    const [first, second] = ROWS.filter(
      ({ bill, usageIsEstimated }) => bill !== undefined && usageIsEstimated !== true,
    );
    if (first === undefined || second === undefined) assert.fail('Too few requests have a bill.');
    const rows = [{ ...first, upstream: 'sandbox' }, second];
    await gallery.tell({ type: 'live', rows: [] });
    await gallery.tell({ type: 'list', choice: {}, rows, hasMore: false, exchanges: 2, cost: 0.02, sampleCost: 0.01 });
    const sums = page.locator('.sums');
    await sums.filter({ hasText: 'Sandbox: sample money · $0.01' }).waitFor();
    assert.equal(await sums.first().textContent(), '2 requests · $0.02');
    const cost = (id: string) => page.locator(`[id="exchange-${id}"] .cost`);
    const color = (id: string) => cost(id).evaluate((cell) => getComputedStyle(cell).color);
    assert.notEqual(await color(first.id), await color(second.id));
    assert.match((await cost(first.id).getAttribute('title')) ?? '', /^\$.* · Sandbox: sample money$/);
    await page.locator(`[id="exchange-${first.id}"]`).click();
    await page.locator('.detail-note').filter({ hasText: 'Sandbox: sample money' }).waitFor();
    const total = page.locator('.tokens tfoot td').last();
    const grey = await total.evaluate((cell) => getComputedStyle(cell).color);
    assert.equal(await page.locator('.tokens tfoot').getByText('Charged').count(), 0);
    await page.locator(`[id="exchange-${second.id}"]`).click();
    await page.locator('.tokens tfoot').filter({ hasText: 'Charged' }).waitFor();
    assert.equal(await page.locator('.detail-note .tag').count(), 0);
    assert.notEqual(await total.evaluate((cell) => getComputedStyle(cell).color), grey);
  });

  it('explains why tokens are estimated and how far estimates differ from reported usage', async () => {
    await gallery.show('bill-estimated', { panel: 'traffic' });
    const notes = page.locator('.bill-note');
    await notes.first().waitFor();
    assert.deepEqual(await notes.allTextContents(), [
      '≈\u2009Estimated from the request and the received part of the answer, because the upstream did not report all of the usage.',
      '≈\u2009Estimates for this model differ from its reported usage by 4% on average. Requests compared: 50.',
    ]);
    await page.locator('.tokens tfoot').filter({ hasText: 'Estimated' }).waitFor();
  });

  it('shows the chat, the run, and the step of a request of the agent', async () => {
    await gallery.show('list', { panel: 'traffic' });
    const [first] = ROWS;
    assert.ok(first);
    const rows = [{ ...first, sessionId: 's1', conversationId: 'c1', turnId: 'r1', step: 12 }];
    await gallery.tell({ type: 'live', rows: [] });
    await gallery.tell({ type: 'list', choice: {}, rows, hasMore: false, exchanges: 1, cost: 0.02, sampleCost: 0 });
    await page.locator(`[id="exchange-${first.id}"]`).click();
    const fact = (name: string) => page.locator('.facts div', { has: page.getByText(name, { exact: true }) });
    for (const [name, value] of [
      ['Chat', 'c1'],
      ['Run', 'r1'],
      ['Step', '12'],
    ] as const) {
      assert.equal(await fact(name).locator('dd').textContent(), value);
    }
  });

  it('announces how the open request ended', async () => {
    await gallery.show('running', { panel: 'traffic' });
    await gallery.tell({ type: 'live', rows: [{ ...RUNNING, end: 'upstreamFailed', status: 502 }] });
    await status().filter({ hasText: 'The request has ended: Failed' }).waitFor();
  });

  it('supports the keyboard from end to end', async () => {
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

describe('the details of a request in a narrow view', () => {
  it('have a labelled way back to the list, and names for their actions', async () => {
    const shown = await GalleryPage.open({ viewport: { width: 680, height: 800 } });
    const { page } = shown;
    await shown.show('detail', { panel: 'traffic' });
    const back = page.getByRole('button', { name: 'Back to the requests' });
    await back.waitFor();
    for (const name of ['Send again…', 'Compare with another…', 'Save as HAR file…', 'Save as test fixture…']) {
      const button = page.getByRole('button', { name });
      assert.ok(((await button.boundingBox())?.width ?? 0) > 80, `${name} is not only an icon`);
    }
    assert.ok(((await back.boundingBox())?.width ?? 0) > 80);
    await shown.resize({ width: 1000, height: 800 });
    assert.equal((await back.boundingBox())?.width, 22, 'an icon beside the list');
    await shown.resize({ width: 680, height: 800 });
    await back.click();
    const grid = page.locator('#exchanges');
    await grid.waitFor();
    await eventually('the focus of the list', async () => grid.evaluate((list) => document.activeElement === list));
    await shown.close();
  });
});

describe('the session tree in a plain browser', () => {
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

  it('supports the same keys as the editor’s trees', async () => {
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
    const posted = () => page.evaluate<{ type: string }[]>('posted');
    await eventuallyEqual<unknown>(async () => (await posted()).findLast(({ type }) => type === 'choose'), {
      type: 'choose',
      choice: { view: 'sessions', sessionId: '4f1c09ae77d2b603' },
    });
  });

  it('opens the details of a request and gets the focus back when they close', async () => {
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

  it('shows the newest turns of a session, and all others on request', async () => {
    await gallery.show('tree', { panel: 'traffic' });
    assert.equal(await row(/^Turn \d/).count(), 6);
    await row('12 earlier turns').click();
    await row(/^Turn 1 /).waitFor();
    assert.equal(await row(/^Turn \d/).count(), 18);
  });

  it('renders only the visible rows of a thousand', async () => {
    await gallery.show('tree-many', { panel: 'traffic' });
    await row(/earlier turns/).click();
    await eventually('all rows', async () => (await tree().getAttribute('aria-rowcount')) === '1007');
    await tree().focus();
    await tree().press('End');
    await row('Without a session').waitFor();
    assert.ok((await tree().locator('.grid-body').getByRole('row').count()) < 100);
  });

  it('keeps the scroll position when new requests arrive', async () => {
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

describe('the sessions of a period in a plain browser', () => {
  it('can be listed as agent runs, which open their turn in the chat', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('sessions', { panel: 'usage' });
    await shown.page.getByRole('button', { name: 'Run', exact: true }).click();
    const rows = shown.page.getByRole('table', { name: 'Agent runs' }).locator('tbody tr');
    assert.equal(await rows.count(), 3);
    assert.match((await rows.first().textContent()) ?? '', /20 Nov 16:30.*34.*1\.3M.*\$1\.86/);
    await rows.first().getByRole('button').click();
    const opened = async () => {
      const last = (await shown.page.evaluate<UsagePageMessage[]>('posted')).at(-1);
      return last?.type === 'openRun' && [last.conversationId, new Date(last.at).toISOString().slice(0, 13)];
    };
    await eventuallyEqual<unknown>(opened, ['c1', '2026-11-20T16']);
    await shown.close();
  });

  it('keep their names readable at each width, and other columns give way', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('sessions', { panel: 'usage' });
    const names = shown.page.getByRole('table', { name: 'Sessions', exact: true }).locator('tbody th');
    for (const width of [340, 400, 479, 480, 560, 639, 640, 700, 760, 899, 900, 1000, 1199, 1200]) {
      await shown.resize({ width, height: 800 });
      const room = await names.first().evaluate((cell) => cell.clientWidth);
      assert.ok(room >= 190, `${room} px at ${width}`);
    }
    await shown.close();
  });

  it('are grouped by tool or by day', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('sessions', { panel: 'usage' });
    const names = (table: string) =>
      shown.page.getByRole('table', { name: table, exact: true }).locator('tbody tr > :first-child').allTextContents();
    await shown.page.getByRole('button', { name: 'Tool', exact: true }).click();
    assert.deepEqual(await names('Sessions by tool'), ['claude-cli', 'Chat panel', 'codex']);
    await shown.page.getByRole('button', { name: 'Day', exact: true }).click();
    assert.deepEqual(await names('Sessions by day'), ['20 Nov', '18 Nov']);
    await shown.page.getByRole('button', { name: 'Session', exact: true }).click();
    await shown.page.getByRole('table', { name: 'Sessions', exact: true }).waitFor();
    await shown.close();
  });
});

describe('the branches of a period in a plain browser', () => {
  it('are listed with their cost, and can be grouped by repository', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('branches', { panel: 'usage' });
    const rows = (table: string) =>
      shown.page.getByRole('table', { name: table, exact: true }).locator('tbody tr').allTextContents();
    const [first, ...others] = await rows('Branches');
    assert.match(first ?? '', /^feature\/totals.*orchard\/shop.*87.*1\.0M.*\$3\.71$/);
    assert.equal(others.length, 2);
    await shown.page.locator('fieldset').getByRole('button', { name: 'Repository' }).click();
    const [shop, notes] = await rows('Repositories');
    assert.match(shop ?? '', /^orchard\/shop.*118.*\$4\.95$/);
    assert.match(notes ?? '', /^notes.*44.*\$1\.95$/);
    await shown.close();
  });

  it('are not mentioned if no request has a known repository', async () => {
    const shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('uncached', { panel: 'usage' });
    await shown.page.getByRole('heading', { name: 'Cache', exact: true }).waitFor();
    assert.equal(await shown.page.getByText('Branch').count(), 0);
    await shown.close();
  });
});

describe('the cache section of the usage view in a plain browser', () => {
  let shown: GalleryPage;
  const posted = async () => (await shown.page.evaluate<{ type: string }[]>('posted')).at(-1);

  beforeEach(async () => {
    shown = await GalleryPage.open({ viewport: SIZE });
    await shown.show('cache', { panel: 'usage' });
    await shown.page.getByRole('heading', { name: 'Cache', exact: true }).waitFor();
  });
  afterEach(() => shown.close());

  it('shows amounts that agree to the cent', async () => {
    const amounts = await shown.page.locator('.cache .figure-value').allTextContents();
    const [net = 0, reads = 0, writes = 0] = amounts.map((text) => Number(text.replace('$', '')));
    assert.equal(net.toFixed(2), (reads - writes).toFixed(2));
    assert.ok(net > 0);
  });

  it('opens the requests that missed the cache for one cause', async () => {
    await shown.page.getByRole('button', { name: 'Expired' }).click();
    const filter = async () => ((await posted()) as { filter?: Record<string, unknown> }).filter ?? {};
    await eventuallyEqual(async () => (await filter()).text, 'miss:expired');
    assert.equal((await posted())?.type, 'openTraffic');
    const { from, to } = await filter();
    assert.ok(Number(from) < Number(to));
    await shown.page.getByRole('button', { name: 'Show the 31 requests' }).click();
    await eventuallyEqual(async () => (await filter()).text, 'miss:tools_changed');
    await shown.page.getByRole('button', { name: 'How to avoid it' }).click();
    await eventuallyEqual(posted, { type: 'openCaching' });
  });

  it('shows the amounts of the day under the band, which is moved with the arrow keys', async () => {
    const section = shown.page.locator('.cache section').first();
    const plot = section.getByRole('img');
    await plot.focus();
    await plot.press('ArrowLeft');
    assert.equal(await section.locator('.readout').textContent(), '20 Nov');
    assert.equal(await section.locator('.legend-figure').count(), 3);
    await plot.press('Enter');
    await eventuallyEqual(async () => (await posted())?.type, 'openTraffic');
  });

  it('is one of the tabs, which the arrow keys choose', async () => {
    const tabs = shown.page.getByRole('tablist', { name: 'Views of the usage' });
    const names = ['Spend', 'Models', 'Keys', 'Sessions', 'Cache', 'Branches'];
    assert.deepEqual(await tabs.getByRole('tab').allTextContents(), names);
    await tabs.getByRole('tab', { name: 'Keys' }).click();
    await shown.page.getByRole('tabpanel', { name: 'Keys' }).getByRole('table', { name: 'Tool or key' }).waitFor();
    await shown.page.keyboard.press('ArrowRight');
    await shown.page.getByRole('tabpanel', { name: 'Sessions' }).waitFor();
    await shown.page.keyboard.press('End');
    await shown.page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Branches' }).waitFor();
    assert.equal(await shown.page.getByRole('table', { name: 'Tool or key' }).count(), 0);
  });

  it('lists the most expensive sessions, and all on request', async () => {
    await shown.show('sessions', { panel: 'usage' });
    const rows = shown.page.getByRole('table', { name: 'Sessions', exact: true }).locator('tbody tr');
    assert.equal(await rows.count(), 6);
    await rows.getByRole('button', { name: 'Open this chat' }).click();
    await eventuallyEqual(posted, { type: 'openConversation', conversationId: 'c1' });
    await shown.page.getByRole('button', { name: 'The 7 most expensive of 63 sessions' }).click();
    await eventually('all rows', async () => (await rows.count()) === 7);
  });

  it('reports that nothing was read from a cache, and that sessions could not be read', async () => {
    await shown.show('uncached', { panel: 'usage' });
    await shown.page.getByText('Nothing was read from a cache in this period.').waitFor();
    await shown.show('sessions-failed', { panel: 'usage' });
    await shown.page.getByRole('alert').getByText('The ledger is in use by another program.').waitFor();
    assert.equal(await shown.page.locator('.cache .figure-value').first().textContent(), '–');
  });
});

describe('the session page in a plain browser', () => {
  const posted = async () => (await page.evaluate<{ type: string }[]>('posted')).at(-1);

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  it('moves one band across its three plots and opens the turn in the traffic view', async () => {
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
    await eventuallyEqual(async () => (await posted())?.type, 'showInTraffic');
    const turn = await page.evaluate<{ from: number; to: number }>('posted.at(-1)');
    assert.equal(turn.to, turn.from + 60_001);
  });

  it('lists the time of tools of each turn', async () => {
    await gallery.show('running', { panel: 'session' });
    await page.getByText('Table', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Turns' });
    await table.waitFor();
    const heads = await table.getByRole('columnheader').allTextContents();
    const nth = heads.findIndex((head) => head.includes('Tool time'));
    assert.deepEqual(await table.locator(`tbody tr:nth-child(2) > :nth-child(${nth + 1})`).allTextContents(), [
      '280 ms',
    ]);
  });

  it('combines several turns into one bar if there are too many', async () => {
    await gallery.show('long', { panel: 'session' });
    await page.locator('.plot svg').first().waitFor();
    const plot = page.locator('.plot').first();
    await plot.focus();
    await plot.press('ArrowRight');
    assert.match((await page.locator('.plots .readout').first().textContent()) ?? '', /^Turn 1–5 · /);
  });

  it('shows what a session would have cost as a range, and which model it does not fit', async () => {
    await gallery.show('running', { panel: 'session' });
    const section = page.locator('.what-if');
    assert.match((await section.textContent()) ?? '', /sonnet-4\.6≈\s\$2\.20 to \$3\.00/);
    assert.match((await section.textContent()) ?? '', /does not fit, 83\.4k of 64k/);
    assert.match((await section.textContent()) ?? '', /Switching now to familya-sonnet-4\.6 writes 83\.4k tokens/);
  });

  it('raises the cap of the session by at most a thousand dollars, and ends the session', async () => {
    await gallery.show('running', { panel: 'session' });
    const section = page.locator('.cap');
    assert.match(await section.innerText(), /almost used up\s+\$3\.69 of \$4\.50\s+\$0\.81 left, about 3 turns/);
    const bar = section.getByRole('progressbar', { name: 'Session cap' });
    assert.equal(await bar.getAttribute('aria-valuetext'), '3 dollars 69 cents of 4 dollars 50 cents');
    const field = page.getByRole('textbox', { name: 'Raise by' });
    await field.fill('1001');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.press('Enter');
    assert.equal((await posted())?.type, 'ready');
    await field.fill('2.50');
    await page.getByRole('button', { name: 'Raise to $7.00' }).click();
    await eventuallyEqual(posted, { type: 'raiseCap', raise: 2.5 });
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await eventuallyEqual(posted, { type: 'endSession' });
  });

  it('has one primary button at the cap, none once ended, and offers a cap if there is none', async () => {
    await gallery.show('waiting', { panel: 'session' });
    assert.deepEqual(await page.locator('.button.primary').allTextContents(), ['Raise to $9.50']);
    await gallery.show('long', { panel: 'session' });
    assert.equal(await page.locator('.raise').count(), 0);
    await gallery.show('short', { panel: 'session' });
    await page.getByRole('button', { name: 'Set Cap…' }).click();
    await eventuallyEqual(posted, { type: 'setCap' });
  });

  it('has no plots of a single bar', async () => {
    await gallery.show('short', { panel: 'session' });
    await page.getByText('1 turn', { exact: true }).first().waitFor();
    assert.equal(await page.locator('.plots').count(), 0);
    await gallery.show('running', { panel: 'session' });
    await page.locator('.plots').waitFor();
  });
});
