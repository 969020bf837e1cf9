/**
 * Compares the panels' states with the pictures in `test/visual/pictures`, with the browser and the fonts of the
 * development dependencies, so that the result is the same everywhere (Linux on x64; elsewhere nothing is compared).
 *
 *     npm run test:visual -- [--update] [WORD]
 *
 * With `--update`, pictures that differ are replaced. With a word, only pictures whose names contain it are compared.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { VIEWS, type View } from '../test/visual/views.ts';
import { hasBundledChromium } from './lib/bundledChromium.ts';
import { FOR_TESTS, launchChromium } from './lib/chromium.ts';
import { startGallery } from './lib/galleryServer.ts';
import { ROOT, TEST_RESULTS } from './lib/paths.ts';
import { comparePictures, type PictureDifference } from './lib/pictureComparison.ts';

const KEPT = join(ROOT, 'test', 'visual', 'pictures');
const DIFFERING = join(TEST_RESULTS, 'visual');
const HEIGHT = 640;
/** Selectors of elements that exist once a panel is rendered. */
const READY: Readonly<Record<View['panel'], string>> = {
  chat: '.composer, .welcome, .connect-note, .history-page',
  session: 'main.session',
  traffic: '.toolbar',
  usage: 'main.usage',
  localKey: 'main.key-page',
  routes: 'main.routes-page',
  configureAgent: 'main.configure-page',
  connectTool: 'main.connect-page',
  agentReview: 'main.review',
};
const MAX_CHECKS = 10;
const RELOADED_AFTER = 5;
const CHECK_INTERVAL_MS = 400;

const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true });
const [word = ''] = positionals;

if (hasBundledChromium()) await compareAll();
else console.log('Pictures are compared on Linux with x64 only, where the browser is the same everywhere.');

async function compareAll(): Promise<void> {
  await rm(DIFFERING, { recursive: true, force: true });
  for (const folder of [KEPT, DIFFERING]) await mkdir(folder, { recursive: true });
  const views = VIEWS.filter(({ name }) => name.includes(word));
  const problems = [...(await compareViews(views)), ...(word === '' ? await dealWithLeftOver() : [])];
  console.log(`${views.length} pictures compared, ${problems.length} ${values.update ? 'changed' : 'problems'}.`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length === 0 || values.update) return;
  console.log(`Look at them in ${DIFFERING}. When the change is meant: npm run test:visual -- --update`);
  process.exitCode = 1;
}

/**
 * Compares views in one page. Views of the same page follow one another, and among them those of the same state, because
 * showing another state takes a fraction of the work of loading the page, and another theme or size a fraction of that.
 */
async function compareViews(views: readonly View[]): Promise<string[]> {
  const gallery = await startGallery();
  process.env.CHROME_PATH = 'bundled';
  const browser = await launchChromium(FOR_TESTS);
  try {
    const page = await browser.newPage({
      locale: 'en-US',
      // Lists show the day and hour of a chat, which depend on the time zone.
      timezoneId: 'UTC',
    });
    return await compareIn(page, gallery.address, views);
  } finally {
    await browser.close();
    await gallery.stop();
  }
}

async function compareIn(page: Page, address: string, views: readonly View[]): Promise<string[]> {
  const problems: string[] = [];
  let shown: View | undefined;
  for (const view of views.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)))) {
    const { name } = view;
    const before = shown;
    shown = view;
    await resize(page, view);
    if (!values.update && before !== undefined && pageOf(before) === pageOf(view)) {
      // A state that follows another one can have the focus in another place. What counts is the state in a new page.
      if (await looksRight(page, view, before)) continue;
    }
    await load(page, address, view);
    const problem = await (values.update ? update(name, page) : check(view, page));
    if (problem !== undefined) problems.push(problem);
  }
  return problems.sort();
}

function orderOf(view: View): string {
  return [pageOf(view), view.state, view.width, view.theme].join();
}

async function resize(page: Page, { width, height = HEIGHT }: View): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
}

/** Returns the page of a view, without its state and theme, which can be changed in the loaded page. */
function pageOf({ panel, language = 'en' }: View): string {
  return `${panel}.html?${new URLSearchParams({ language, motion: 'reduce' })}`;
}

async function load(page: Page, address: string, view: View): Promise<void> {
  const { panel, state, theme } = view;
  await page.goto(`${address}${pageOf(view)}&${new URLSearchParams({ state, theme })}`);
  await page.locator(READY[panel]).first().waitFor();
}

/** Shows a view in a page that has shown another view of the same panel, and compares it once. */
async function looksRight(page: Page, { name, state, theme }: View, before: View): Promise<boolean> {
  const showState = before.state === state ? '' : `, showState(${JSON.stringify(state)})`;
  await page.evaluate(`applyTheme(${JSON.stringify(theme)})${showState}`);
  const kept = await readFile(fileOf(name)).catch(ifMissing);
  return kept !== undefined && comparePictures(kept, await picture(page)) === undefined;
}

/**
 * Compares a page with its picture. Parts of the panel are loaded late, so a difference is checked again before it is
 * reported. On a busy machine, what was loaded late can have moved the scroll position by a pixel, which stays so until
 * the page is loaded again.
 * @returns what is wrong with the page.
 */
async function check({ name, panel }: View, page: Page): Promise<string | undefined> {
  const kept = await readFile(fileOf(name)).catch(ifMissing);
  if (kept === undefined) return `${name} is not kept yet`;
  for (let look = 1; ; look += 1) {
    const now = await picture(page);
    const difference = comparePictures(kept, now);
    if (difference === undefined) return undefined;
    if (look === MAX_CHECKS) return report(name, now, difference);
    if (look === RELOADED_AFTER) {
      await page.reload();
      await page.locator(READY[panel]).first().waitFor();
    }
    await wait(CHECK_INTERVAL_MS);
  }
}

async function report(name: string, now: Buffer, { says, picture }: PictureDifference): Promise<string> {
  await writeFile(join(DIFFERING, `${name}.png`), now);
  if (picture !== undefined) await writeFile(join(DIFFERING, `${name}.difference.png`), picture);
  return `${name} ${says}`;
}

/**
 * Stores the picture of the page if it has changed.
 * @returns what has changed.
 */
async function update(name: string, page: Page): Promise<string | undefined> {
  await page.waitForLoadState('networkidle');
  const now = await picture(page);
  const kept = await readFile(fileOf(name)).catch(ifMissing);
  const difference = kept === undefined ? { says: 'is new' } : comparePictures(kept, now);
  if (difference === undefined) return undefined;
  await writeFile(fileOf(name), now);
  return `${name} ${difference.says}`;
}

async function picture(page: Page): Promise<Buffer> {
  await page.evaluate('document.fonts.ready.then(() => true)');
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

function fileOf(name: string): string {
  return join(KEPT, `${name}.png`);
}

/** Finds pictures without a view, and removes them if pictures are updated. */
async function dealWithLeftOver(): Promise<string[]> {
  const names = new Set(VIEWS.map(({ name }) => name));
  const left = (await readdir(KEPT)).filter((file) => !names.has(basename(file, '.png')));
  if (values.update) for (const file of left) await rm(join(KEPT, file));
  return left.map((file) => `${file} belongs to no view`);
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
