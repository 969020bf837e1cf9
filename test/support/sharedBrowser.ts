import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/lib/chromium.ts';

let launched: Promise<Browser> | undefined;

/** Returns one browser for the whole run. Each editor has its own context in it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

export async function closeSharedBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}
