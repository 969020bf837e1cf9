import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { TEST_RESULTS } from '../../../scripts/lib/paths.ts';
import { within } from '../eventually.ts';

/** Characters of each page in the output of a failed test. */
const MAX_TEXT = 3_000;
/** A page that does not show what it has within this time hangs. */
const MAX_WAIT_MS = 20_000;

/** Saves a picture of a window in `test-results/screenshots`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const file = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.png`;
  await page.screenshot({ path: join(TEST_RESULTS, 'screenshots', file), animations: 'disabled' });
}

/**
 * Saves a picture of each window. Returns the text that the windows and the pages of the extension show, for runs of
 * which nothing but the output is kept. A window that no longer answers is named, so that the reason of the failure stays.
 */
export async function keepEvidence(pages: readonly Page[], name: string): Promise<string> {
  const texts: string[] = [];
  for (const [index, page] of pages.entries()) {
    const title = `Window ${index + 1}`;
    try {
      await within(MAX_WAIT_MS, keepPicture(page, `${name} ${title}`));
      for (const text of await within(MAX_WAIT_MS, textsIn(page))) texts.push(`${title}:\n${text}`);
    } catch (error) {
      texts.push(`${title} does not answer: ${error instanceof Error ? error.message : error}`);
    }
  }
  return texts.join('\n');
}

async function textsIn(page: Page): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const frame of page.frames()) {
    if (frame.url().includes('webWorkerExtensionHostIframe')) continue;
    // A page that is just being closed shows nothing anymore.
    const text = await frame.evaluate(() => document.body.innerText).catch(() => '');
    if (text.trim() !== '') texts.push(text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, MAX_TEXT));
  }
  return texts;
}
