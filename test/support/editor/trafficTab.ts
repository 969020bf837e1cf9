import type { FrameLocator, Locator, Page } from 'playwright-core';
import { tabFrame } from './pageFrames.ts';
import type { Workbench } from './workbench.ts';

/** The traffic view in its tab. Elements are found by role and accessible name. */
export class TrafficTab {
  readonly frame: FrameLocator;
  readonly grid: Locator;
  /** All rows except the column headers. */
  readonly rows: Locator;
  readonly filter: Locator;
  readonly detail: Locator;

  constructor(page: Page) {
    this.frame = tabFrame(page);
    this.grid = this.frame.getByRole('grid', { name: 'Requests' });
    this.rows = this.grid.locator('.grid-body').getByRole('row');
    this.filter = this.frame.getByRole('textbox', { name: 'Filter' });
    this.detail = this.frame.locator('section.detail');
  }

  row(words: string | RegExp): Locator {
    return this.rows.filter({ hasText: words });
  }

  /** Returns the icon of a row's result. */
  result(word: string): Locator {
    return this.frame.getByRole('img', { name: word, exact: true });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Opens the view in a window without side bars, and shows its requests by session. */
  async openTree(workbench: Workbench): Promise<Locator> {
    for (const command of ['closeSidebar', 'closeAuxiliaryBar'])
      await workbench.driver.run(`workbench.action.${command}`);
    await workbench.runCommand('Model Access: Open Traffic');
    const groups = this.button('Group by session');
    if ((await groups.getAttribute('aria-pressed')) !== 'true') await groups.click();
    const tree = this.frame.getByRole('treegrid', { name: 'Requests by session' });
    await tree.waitFor();
    return tree;
  }

  tab(name: string | RegExp): Locator {
    return this.detail.getByRole('tab', { name });
  }
}
