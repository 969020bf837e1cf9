import type { Browser } from 'playwright-core';
import { FOR_TESTS, launchChromium } from '../../scripts/lib/chromium.ts';

let launched: Promise<Browser> | undefined;

/** Returns one browser for the whole run. Each editor has its own context in it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchChromium(FOR_TESTS);
  return launched;
}

export async function closeSharedBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}
