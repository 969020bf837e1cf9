import type { Locator, Page } from 'playwright-core';
import { chooseFromMenu } from './menu.ts';
import { retried } from './retried.ts';
import type { Workbench } from './workbench.ts';

const SHORT_WAIT_MS = 4000;
const RESULT_WAIT_MS = 10_000;

/** A view of rows in the primary side bar. */
export class SideView {
  readonly root: Locator;
  readonly rows: Locator;
  /** What stands in the place of rows while there are none. */
  readonly welcome: Locator;
  readonly #workbench: Workbench;
  readonly #title: string;

  constructor(page: Page, workbench: Workbench, title: string) {
    this.#workbench = workbench;
    this.#title = title;
    const header = page.locator(`.pane-header[aria-label^="${title}"]`);
    this.root = page.locator('.part.sidebar .pane').filter({ has: header });
    this.rows = this.root.locator('.monaco-list-row');
    this.welcome = this.root.locator('.welcome-view');
  }

  async show(): Promise<void> {
    await this.#workbench.runCommand(`Model Access: Focus on ${this.#title} View`);
    await this.root.waitFor();
  }

  /** The first row with this text in its label or description. */
  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  /** Presses a button of a row, which shows only while the pointer is on it and goes when the rows are drawn anew. */
  async press(row: string | RegExp, button: string): Promise<void> {
    await retried(async () => {
      await this.#leave();
      await this.row(row).hover({ timeout: SHORT_WAIT_MS });
      await this.row(row).getByRole('button', { name: button }).click({ timeout: SHORT_WAIT_MS });
    });
  }

  /** Presses a button of a row until what it leads to is there (or gone), for the reason that `chooseFor` gives. */
  async pressFor(
    result: Locator,
    row: string | RegExp,
    button: string,
    state: 'visible' | 'detached' = 'visible',
  ): Promise<void> {
    await retried(async () => {
      await this.press(row, button);
      await result.waitFor({ state, timeout: RESULT_WAIT_MS });
    });
  }

  /** Chooses from the context menu of a row. */
  async choose(row: string | RegExp, ...entries: readonly string[]): Promise<void> {
    await this.#leave();
    await this.row(row).click({ button: 'right' });
    await chooseFromMenu(this.root.page(), ...entries);
  }

  /**
   * Chooses from the context menu of a row until what it leads to is there. A row that is redrawn at that moment is
   * given to no command, which then asks what it is for, or shows all.
   */
  async chooseFor(result: Locator, row: string | RegExp, ...entries: readonly string[]): Promise<void> {
    await retried(async () => {
      await this.root.page().keyboard.press('Escape');
      await this.choose(row, ...entries);
      await result.waitFor({ timeout: RESULT_WAIT_MS });
    });
  }

  /** Takes the pointer away from the rows: what the editor tells of the one under it covers those below. */
  async #leave(): Promise<void> {
    await this.root.page().mouse.move(0, 0);
    await this.root.page().locator('.monaco-hover:visible').waitFor({ state: 'detached' });
  }
}
