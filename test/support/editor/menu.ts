import type { Page } from 'playwright-core';
import { retried } from './retried.ts';

const SHORT_WAIT_MS = 4000;

/** Chooses from a menu of the editor that is open: the last of the entries, which the others lead to. */
export async function chooseFromMenu(page: Page, ...entries: readonly string[]): Promise<void> {
  const items = entries.map((entry) => page.getByRole('menuitem', { name: entry, exact: true }));
  for (const item of items.slice(0, -1)) await item.hover();
  const last = items.at(-1);
  // For a tenth of a second after it opens, a menu of the editor takes no click.
  await retried(async () => {
    await last?.click({ timeout: SHORT_WAIT_MS });
    await last?.waitFor({ state: 'hidden', timeout: SHORT_WAIT_MS });
  });
}
