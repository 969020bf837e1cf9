/**
 * Measures how long the usage tab takes in the real editor, from the click on its command to the frame with its first
 * plot: with a ledger of 100,000 exchanges, with one of a few, and for comparison an empty webview, which shows the
 * time of the editor itself. The three are opened in turn, in one editor each. `node bench/usageTab.ts [--rounds 5]`.
 *
 * The pages report both times themselves, on the clock that all pages of a browser share, because Playwright checks the
 * contents of a frame at growing intervals of up to half a second.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from '../scripts/lib/installedExtension.ts';
import { type Editor, openEditor } from '../test/support/editor/editor.ts';
import { fillLedger } from '../test/support/ledgers.ts';
import { closeSharedBrowser } from '../test/support/sharedBrowser.ts';
import { median } from './load.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const COUNTS = [60, 100_000];
/** Waits until the closed tabs are gone. In milliseconds. */
const SETTLE_MS = 1_000;

interface Opened {
  readonly command: string;
  readonly tab: string;
}

const EMPTY: Opened = { command: 'Acme: Open Empty Webview', tab: 'Empty' };
const USAGE: Opened = { command: 'Model Access: Open Usage', tab: 'Usage' };

const SHOWN = 'The webview has been drawn at ';

/**
 * Runs in every page of the editor. The window stores the time of the last click, and the page around a webview reports
 * the time of the first frame with visible content.
 */
const WATCH = `{
  const at = (time) => performance.timeOrigin + time;
  if (window === top) addEventListener('click', ({ timeStamp }) => { window.lastClick = at(timeStamp); }, true);
  else if (location.pathname.endsWith('/index.html')) {
    const look = (now) => {
      const page = document.getElementById('active-frame')?.contentDocument;
      const main = page?.querySelector('main');
      const isDrawn = main?.classList.contains('usage') ? main.querySelector('.plot svg') : main;
      if (isDrawn) console.log('${SHOWN}' + at(now));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }
}`;

const extension = await installPackagedExtension('emptyWebview');
process.env[EXTENSIONS_VARIABLE] = extension.path;
for (const count of COUNTS) {
  const [empty, usage] = await openings(count);
  const text = ([first = 0, ...again]: readonly number[]) =>
    `${first.toFixed(0)} ms at first, then ${median(again).toFixed(0)} ms`;
  const beyond = median(usage.slice(1)) - median(empty.slice(1));
  console.log(`${count} exchanges: ${text(usage)}; an empty webview ${text(empty)}; beyond it ${beyond.toFixed(0)} ms`);
}
await closeSharedBrowser();
await extension.remove();

/** In milliseconds. The first value includes loading everything that is loaded late. */
async function openings(count: number): Promise<readonly [empty: number[], usage: number[]]> {
  await using editor = await openEditor({
    extensions: 'all',
    name: `usage of ${count}`,
    prepareStorage: (folder) => fillLedger(join(folder, 'ledger.sqlite'), count, Date.now()),
  });
  await editor.page.context().addInitScript(WATCH);
  await editor.page.evaluate(WATCH);
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    times[0].push(await open(editor, EMPTY));
    times[1].push(await open(editor, USAGE));
  }
  return times;
}

async function open({ page, workbench }: Editor, { command, tab }: Opened): Promise<number> {
  const shown = drawn(page);
  await workbench.pickCommand(command);
  const took = (await shown) - (await page.evaluate<number>('lastClick'));
  await workbench.runCommand('View: Close Editor');
  await page.getByRole('tab', { name: tab }).waitFor({ state: 'detached' });
  await wait(SETTLE_MS);
  return took;
}

/** Returns when the next webview shows its contents, in milliseconds since the epoch. */
async function drawn(page: Page): Promise<number> {
  const message = await page.waitForEvent('console', (event) => event.text().startsWith(SHOWN));
  return Number(message.text().slice(SHOWN.length));
}
