/**
 * Shows the panels' states in a plain browser, without an editor.
 *
 *     npm run gallery -- [--port N] [--panel chat]
 *     npm run gallery -- --snapshot FOLDER [--panel chat] [--theme dark] [--width 340] [--language zh-cn] [--state NAME]
 *
 * With `--snapshot` it writes a picture of each state and exits.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from './lib/chromium.ts';
import { startGallery } from './lib/galleryServer.ts';
import { openAddress } from './lib/openAddress.ts';
import { aborted, untilSignal } from './lib/untilSignal.ts';

const PICTURE_HEIGHT = 720;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    panel: { type: 'string', default: 'chat' },
    snapshot: { type: 'string' },
    theme: { type: 'string', default: 'dark' },
    width: { type: 'string', default: '340' },
    language: { type: 'string', default: 'en' },
    state: { type: 'string' },
    'no-open': { type: 'boolean' },
  },
});

const gallery = await startGallery(Number(values.port));
try {
  if (values.snapshot === undefined) await show();
  else await takeSnapshots(resolve(values.snapshot));
} finally {
  await gallery.stop();
}

async function show(): Promise<void> {
  console.log(`The gallery is at ${address({})}\nCtrl+C ends it.`);
  if (!values['no-open']) openAddress(address({}));
  await aborted(untilSignal());
}

async function takeSnapshots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  try {
    const { theme, language } = values;
    const width = Number(values.width);
    const suffix = [theme, width, ...(language === 'en' ? [] : [language])].join('-');
    const page = await browser.newPage({ viewport: { width, height: PICTURE_HEIGHT }, deviceScaleFactor: 2 });
    const names = values.state === undefined ? await stateNames(page) : [values.state];
    for (const name of names) {
      await page.goto(address({ state: name, theme, width: values.width, language }));
      await page.locator('#root > *').first().waitFor();
      const file = join(folder, `${name}-${suffix}.png`);
      await page.screenshot({ path: file, animations: 'disabled', fullPage: true });
      console.log(file);
    }
  } finally {
    await browser.close();
  }
}

/** Reads the names from the overview, which links to each state. */
async function stateNames(page: Page): Promise<string[]> {
  await page.goto(address({}));
  const links = page.locator('a[href*="state="]');
  await links.first().waitFor();
  const hrefs = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  return hrefs.map((href) => new URL(href, gallery.address).searchParams.get('state') ?? '');
}

function address(query: Readonly<Record<string, string>>): string {
  const url = new URL(`${values.panel}.html`, gallery.address);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
