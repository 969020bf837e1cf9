import { basename } from 'node:path';
import { errors, type Locator, type Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { retried } from './retried.ts';

const SHORT_WAIT_MS = 4000;
const KEY_MS = 500;

/** The box at the top of the window: command palette, lists to pick from, lines to type. */
export class QuickInput {
  readonly root: Locator;
  readonly input: Locator;
  readonly rows: Locator;
  readonly title: Locator;
  /** What the extension says about the text that is being typed. */
  readonly message: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.locator('.quick-input-widget');
    this.input = this.root.locator('.quick-input-box input');
    this.rows = this.root.locator('.quick-input-list .monaco-list-row');
    this.title = this.root.locator('.quick-input-title');
    this.message = this.root.locator('.quick-input-message');
  }

  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  /** Presses the keys that open the box, types a text into it, and picks a row. */
  async openAndPick(keys: string, text: string, row: string): Promise<void> {
    await retried(async () => {
      await this.openAndType(keys, text);
      await this.row(row).click({ timeout: SHORT_WAIT_MS });
    });
  }

  /** Presses the keys that open the box and types a text into it; again when something else takes the focus. */
  async openAndType(keys: string, text: string): Promise<void> {
    await retried(async () => {
      await this.open(keys);
      await this.input.fill(text, { timeout: SHORT_WAIT_MS });
    });
  }

  /** Presses the keys that open the box until it is there. */
  async open(keys: string): Promise<void> {
    await retried(async () => {
      await this.#page.keyboard.press(keys);
      await this.input.waitFor({ timeout: SHORT_WAIT_MS });
    });
  }

  /** Picks a row of a list that is open or about to open. */
  async pick(text: string | RegExp): Promise<void> {
    await this.row(text).click();
  }

  /**
   * Picks a row by typing its name, for lists that are narrowed while they are read: a list that is drawn again under
   * the pointer takes the click for another row.
   */
  async pickByName(name: string): Promise<void> {
    await this.row(name).waitFor();
    await this.input.fill(name);
    await this.root.locator('.monaco-list-row.focused').filter({ hasText: name }).waitFor();
    await this.input.press('Enter');
  }

  /** Types a line and confirms it. */
  async enter(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Types a path into the editor's dialog for files and confirms it. */
  async enterPath(path: string): Promise<void> {
    // The dialog writes its folder into the line once it has read it, over whatever is typed before; then it lists it.
    await eventually('the folder in the dialog', async () => (await this.input.inputValue()).startsWith('/'));
    await this.rows.first().waitFor();
    await this.input.fill(path);
    // It asks before it writes over a file, and does not hear Enter while it reads a folder.
    await eventually('the end of the dialog', async () => {
      await this.#waitForRow(basename(path));
      if (await this.root.isVisible()) await this.#page.keyboard.press('Enter');
      return closesWithin(this.root, KEY_MS);
    });
  }

  /** Waits until no other row is chosen: Enter would open a folder that is, and the dialog would not hear another one. */
  async #waitForRow(name: string): Promise<void> {
    const others = this.root.locator('.monaco-list-row.focused').filter({ hasNotText: name });
    await others.waitFor({ state: 'detached' });
  }

  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.root.waitFor({ state: 'hidden' });
  }
}

/** Whether a box is gone so soon that a key pressed before has reached it. */
async function closesWithin(box: Locator, milliseconds: number): Promise<boolean> {
  try {
    await box.waitFor({ state: 'hidden', timeout: milliseconds });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
