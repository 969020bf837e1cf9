import { errors, type Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const OPENING_MS = 20_000;
const SHORT_WAIT_MS = 4000;

/** Chooses the last of the entries from an open menu of the editor. The others are the submenus that lead to it. */
export async function chooseFromMenu(page: Page, ...entries: readonly string[]): Promise<void> {
  const items = entries.map((entry) => page.getByRole('menuitem', { name: entry, exact: true }));
  for (const item of items.slice(0, -1)) await item.hover();
  const last = items.at(-1);
  if (last === undefined) return;
  await last.waitFor({ timeout: OPENING_MS });
  // For a tenth of a second after it opens, a menu of the editor ignores clicks; after a click it disappears.
  await eventually(`the end of the menu with “${entries.at(-1)}”`, async () => {
    // The menu of the previous click may disappear under the pointer.
    if (await last.isVisible()) await last.click({ timeout: SHORT_WAIT_MS }).catch(ignoreTimeout);
    return last.isHidden();
  });
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}
