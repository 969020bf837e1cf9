import type { FrameLocator, Locator, Page } from 'playwright-core';
import { tabFrame } from './pageFrames.ts';

const TAB_OF_TABLE: Readonly<Record<string, string>> = {
  Models: 'Models',
  'Tool or key': 'Keys',
  Sessions: 'Sessions',
};

/** The usage view in its editor tab. */
export class UsageTab {
  readonly frame: FrameLocator;
  readonly heading: Locator;

  constructor(page: Page) {
    this.frame = tabFrame(page);
    this.heading = this.frame.getByRole('heading', { name: 'Usage', level: 1 });
  }

  /** Waits until the sums of the chosen period are shown. */
  async waitUntilRead(): Promise<void> {
    await this.frame.locator('main[aria-busy="false"] .plot-head').first().waitFor();
  }

  /** Returns one of the figures at the top. */
  async figure(label: string): Promise<string> {
    const box = this.frame.locator('.figure-box').filter({ has: this.frame.getByText(label, { exact: true }) });
    return (await box.locator('.figure-value').innerText()).trim();
  }

  /** Shows one of the views of the usage, such as `Models`. */
  async openTab(name: string): Promise<void> {
    await this.frame.getByRole('tab', { name, exact: true }).click();
  }

  /** Returns the cells of a table, row by row, and opens its tab. */
  async rows(table: string): Promise<string[][]> {
    await this.openTab(TAB_OF_TABLE[table] ?? 'Spend');
    const rows = this.frame.getByRole('table', { name: table, exact: true }).locator('tbody tr');
    return (await rows.all()).length === 0
      ? []
      : rows.evaluateAll((found) =>
          found.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')),
        );
  }
}
