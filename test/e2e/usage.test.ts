import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf, startOfDay } from '../../src/display/day.ts';
import { formatSum } from '../../src/display/money.ts';
import type { UsageLine, UsagePeriod } from '../../src/ledger/usage.ts';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import { UsageTab } from '../support/editor/usageTab.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { emptyLedger, fillLedger } from '../support/ledgers.ts';

const EXCHANGES = 5_000;
/** Selects the exchanges that the view shows while the sandbox is off. */
const SHOWN = `coalesce(upstream, '') <> 'sandbox'`;
const CANARY = 'a heron on one leg';
const GROUPED = new Intl.NumberFormat('en-US');

interface UsageFile {
  readonly period: UsagePeriod;
  readonly currency: string;
  readonly lines: readonly UsageLine[];
}

describe('the usage view', () => {
  let editor: Editor;
  let usage: UsageTab;

  before(async () => {
    editor = await freshEditor();
    // A single estimate of another suite would mark each sum as an estimate.
    emptyLedger(editor.ledger);
    fillLedger(editor.ledger, EXCHANGES, Date.now());
    usage = new UsageTab(editor.page);
  });
  // A failed test closes the tab.
  beforeEach(async () => {
    if (await usage.heading.isVisible()) return;
    await editor.workbench.runCommand('Model Access: Open Usage');
    await usage.waitUntilRead();
  });
  after(async () => {
    await editor.workbench.closeAllEditors();
    emptyLedger(editor.ledger);
  });

  /** Rows of the ledger itself, summed by SQLite over the exchanges of the last thirty days. */
  function sums(group: string): { name: string; exchanges: number; cost: number; unpriced: number }[] {
    const database = new DatabaseSync(editor.ledger, { readOnly: true });
    const from = startOfDay(addDays(dayOf(Date.now()), -29));
    const rows = database
      .prepare(
        `SELECT ${group} AS name, count(*) AS exchanges, total(cost) / 1e9 AS cost,
           count(*) FILTER (WHERE cost IS NULL) AS unpriced
         FROM exchanges WHERE at >= ? AND ${SHOWN} GROUP BY 1 ORDER BY 3 DESC, 2 DESC`,
      )
      .all(from);
    database.close();
    return rows.map(({ name, exchanges, cost, unpriced }) => ({
      name: String(name),
      exchanges: Number(exchanges),
      cost: Number(cost),
      unpriced: Number(unpriced),
    }));
  }

  /**
   * Exports into a file with the dialog.
   * @returns the contents of the file once they end like those of a complete file.
   */
  async function exported(format: 'CSV' | 'JSON', ending: string): Promise<string> {
    const path = join(editor.workspace, `usage.${format.toLowerCase()}`);
    await rm(path, { force: true });
    const openDialog = () => usage.frame.getByRole('button', { name: `Export ${format}` }).click();
    await editor.workbench.quickInput.enterPath(openDialog, path);
    await editor.workbench.notifications.waitFor('Usage exported to');
    await editor.workbench.clearNotifications();
    return writtenText(path, ending);
  }

  const spent = ({ cost, unpriced }: { cost: number; unpriced: number }) => {
    if (unpriced === 0) return formatSum(cost);
    return cost === 0 ? '–' : `${formatSum(cost)} +`;
  };

  it('shows the same sums as an SQL query over the exchanges', async () => {
    const [all] = sums(`''`);
    assert.ok(all);
    assert.equal(all.exchanges, EXCHANGES);
    assert.equal(await usage.figure('Requests'), GROUPED.format(all.exchanges));
    assert.equal(await usage.figure('Spent'), spent(all));
    const models = await usage.rows('Models');
    assert.deepEqual(
      models.map((cells) => [cells[0], cells[1], cells.at(-1)]),
      sums('model').map((row) => [row.name, GROUPED.format(row.exchanges), spent(row)]),
    );
    const callers = await usage.rows('Tool or key');
    assert.deepEqual(
      callers.map((cells) => [cells[1], cells.at(-1)]),
      sums(`source || coalesce(local_key_id, '')`).map((row) => [GROUPED.format(row.exchanges), spent(row)]),
    );
    await editor.screenshot('usage of many exchanges');
  });

  it('shows the data of its plot in a sortable table', async () => {
    await usage.openTab('Spend');
    await usage.frame.locator('.plot-table summary').first().click();
    const table = usage.frame.getByRole('table', { name: 'Spend by day' });
    await table.waitFor();
    const days = await usage.rows('Spend by day');
    assert.equal(days.length, 30);
    const byDay = sums(`date(at / 1000, 'unixepoch', 'localtime')`);
    const counts = days.map((cells) => Number(cells[1]?.replaceAll(',', '')));
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      byDay.map(({ exchanges }) => exchanges).toSorted((a, b) => a - b),
    );
    await table.getByRole('button', { name: 'Requests', exact: true }).click();
    const sorted = (await usage.rows('Spend by day')).map((cells) => Number(cells[1]?.replaceAll(',', '')));
    assert.deepEqual(
      sorted,
      counts.toSorted((a, b) => b - a),
    );
    await usage.frame.locator('.plot-table summary').first().click();
  });

  it('shows another period', async () => {
    await usage.frame.getByRole('button', { name: 'Today', exact: true }).click();
    await usage.frame.getByRole('heading', { name: 'Spend by hour' }).waitFor();
    await usage.frame.getByRole('button', { name: '30 days' }).click();
    await usage.frame.getByRole('heading', { name: 'Spend by day' }).waitFor();
  });

  it('shows cache savings and misses that match SQL, and opens the requests for a cause', async () => {
    const database = new DatabaseSync(editor.ledger, { readOnly: true });
    const sql = database
      .prepare(
        `SELECT total(cached_input_tokens * (input_price - cached_input_price)) / 1e6 AS reads,
           total(cache_miss_cost) / 1e9 AS avoidable, count(cache_miss_reason) AS misses,
           count(*) FILTER (WHERE cache_miss_reason = 'expired') AS expired
         FROM exchanges WHERE ${SHOWN}`,
      )
      .get();
    database.close();
    assert.ok(Number(sql?.expired) > 0 && Number(sql?.misses) > Number(sql?.expired));
    await usage.openTab('Cache');
    const reads = formatSum(Number(sql?.reads));
    await eventually('the savings', async () => (await usage.figure('Saved by reads')) === reads);
    assert.equal(await usage.figure('Net saved'), reads);
    assert.equal(await usage.figure('Extra cost of writes'), '$0.00');
    assert.equal(await usage.figure('Avoidable'), formatSum(Number(sql?.avoidable)));
    await usage.frame.getByText(`${sql?.misses} misses`).waitFor();
    await editor.screenshot('cache of many exchanges');
    await usage.frame.getByRole('button', { name: 'Expired' }).click();
    const traffic = new TrafficTab(editor.page);
    await traffic.grid.waitFor();
    await eventuallyEqual(() => traffic.filter.inputValue(), 'miss:expired');
    await traffic.frame.locator('.sums', { hasText: `${sql?.expired} requests` }).waitFor();
    await editor.workbench.runCommand('View: Close Editor');
    await usage.waitUntilRead();
  });

  it('exports what it shows as CSV, one line per day and group', async () => {
    const [head = '', ...lines] = (await exported('CSV', '\n')).trimEnd().split('\n');
    const names = head.trim().split(',');
    const sumOf = (name: string) => {
      const place = names.indexOf(name);
      assert.ok(place >= 0, `${name} in ${head}`);
      return lines.reduce((sum, line) => sum + Number(line.trim().split(',')[place]), 0);
    };
    const [all] = sums(`''`);
    assert.equal(sumOf('exchanges'), all?.exchanges);
    assert.equal(sumOf('cost_usd').toFixed(4), all?.cost.toFixed(4));
  });

  it('exports the same data as JSON', async () => {
    const { period, currency, lines } = JSON.parse(await exported('JSON', '}\n')) as UsageFile;
    assert.deepEqual([period.last, currency], [dayOf(Date.now()), 'USD']);
    const [all] = sums(`''`);
    assert.equal(
      lines.reduce((sum, { exchanges }) => sum + exchanges, 0),
      all?.exchanges,
    );
    assert.equal(lines.reduce((sum, { cost }) => sum + (cost ?? 0), 0).toFixed(4), all?.cost.toFixed(4));
  });

  it('opens the requests behind a count in the traffic view', async () => {
    await usage.openTab('Models');
    await usage.frame.locator('table[aria-label="Models"] .figure-link').first().click();
    await editor.page.getByRole('tab', { name: 'Traffic', selected: true }).waitFor();
    await editor.workbench.runCommand('View: Close Editor');
    await usage.waitUntilRead();
  });

  it('counts a chat question immediately and keeps its text out of the ledger', async () => {
    await editor.workbench.runCommand('Model Access: Try the Sandbox');
    const chat = await editor.openChat();
    await chat.askAndWait(`echo: count me\n${CANARY}`);
    await editor.workbench.runCommand('Model Access: Open Usage');
    await eventually('one request', async () => (await usage.figure('Requests')) === '1');
    await usage.frame.getByText('Sandbox: sample money').waitFor();
    assert.deepEqual(
      (await usage.rows('Tool or key')).map((cells) => cells.slice(0, 2)),
      [['Chat panel', '1']],
    );
    await editor.screenshot('usage of the sandbox');
    const names = (await readdir(editor.storage)).filter((name) => name.startsWith('ledger.sqlite'));
    assert.ok(names.length > 0);
    for (const name of names) {
      const bytes = await readFile(join(editor.storage, name));
      for (const secret of [CANARY, 'count me', 'key_sandbox'])
        assert.ok(!bytes.includes(secret), `${secret} in ${name}`);
    }
    assert.ok(!(await usage.frame.locator('main').innerText()).includes(CANARY));
    await editor.workbench.runCommand('Model Access: Leave the Sandbox');
    await editor.workbench.waitForStatusBar('modelAccess.status', 'Set Service Key');
  });
});
