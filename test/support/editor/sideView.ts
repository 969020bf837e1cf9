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
  /** The text that is shown if there are no rows. */
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

  /** Returns the first row with this text in its label or description. */
  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  /**
   * Clicks a button of a row, which is only shown while the row is hovered and disappears when the rows are rendered
   * again.
   */
  async press(row: string | RegExp, button: string): Promise<void> {
    await retried(async () => {
      await this.#leave();
      await this.row(row).hover({ timeout: SHORT_WAIT_MS });
      await this.row(row).getByRole('button', { name: button }).click({ timeout: SHORT_WAIT_MS });
    });
  }

  /** Clicks a button of a row until its result is shown (or gone), for the reason in {@link chooseFor}. */
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
   * Chooses from the context menu of a row until the result is shown. If the row is rendered again at that moment, the
   * command gets no row, and asks for one or shows all.
   */
  async chooseFor(result: Locator, row: string | RegExp, ...entries: readonly string[]): Promise<void> {
    await retried(async () => {
      await this.root.page().keyboard.press('Escape');
      await this.choose(row, ...entries);
      await result.waitFor({ timeout: RESULT_WAIT_MS });
    });
  }

  /** Moves the pointer away from the rows, because the hover of a row covers the rows below. */
  async #leave(): Promise<void> {
    await this.root.page().mouse.move(0, 0);
    await this.root.page().locator('.monaco-hover:visible').waitFor({ state: 'detached' });
  }
}
