import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

const KEY_MS = 500;
/** A file dialog that is still open after this time has stopped reacting. */
const DIALOG_MS = 8000;
const DIALOG_ATTEMPTS = 5;

/** The quick input at the top of the window: Command Palette, lists, and text input. */
export class QuickInput {
  readonly root: Locator;
  readonly input: Locator;
  readonly rows: Locator;
  readonly title: Locator;
  /** The extension's message about the typed text. */
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

  /** Presses the keys that open the quick input, types a text, and picks a row. */
  async openAndPick(keys: string, text: string, row: string): Promise<void> {
    await this.openAndType(keys, text);
    await this.row(row).click();
  }

  /** Presses the keys that open the quick input and types a text. */
  async openAndType(keys: string, text: string): Promise<void> {
    await this.open(keys);
    await this.input.fill(text);
  }

  /** Presses the keys that open the quick input until it is shown. */
  async open(keys: string): Promise<void> {
    await eventually('the quick input', async () => {
      await this.#page.keyboard.press(keys);
      return this.input.isVisible();
    });
  }

  /** Picks a row of a list that is open or about to open. */
  async pick(text: string | RegExp): Promise<void> {
    await this.row(text).click();
  }

  /**
   * Picks a row by typing its name, for lists that change while they are loaded: if a list is rendered again under the
   * pointer, the click reaches another row.
   *
   * @param text text of the row, if several rows have the name.
   */
  async pickByName(name: string, text: string | RegExp = name): Promise<void> {
    await this.row(text).waitFor();
    await this.input.fill(name);
    const focused = this.root.locator('.monaco-list-row.focused');
    await focused.filter({ hasText: name }).waitFor();
    await eventually('the row in the list', async () => {
      if (await focused.filter({ hasText: text }).isVisible()) return true;
      await this.input.press('ArrowDown');
      return false;
    });
    await this.input.press('Enter');
  }

  /** Types a text and confirms it. */
  async enter(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /**
   * Opens a file dialog of the editor, types a path, and confirms it.
   *
   * The dialog may ignore every Enter after one that came while it selected a row, and may select a row that does not
   * match the path. It is then canceled and opened again.
   */
  async enterPath(open: () => Promise<void>, path: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await open();
      try {
        return await this.#confirmPath(path);
      } catch (error) {
        if (attempt === DIALOG_ATTEMPTS) throw error;
      }
      if (await this.#showsPath()) await this.cancel();
    }
  }

  async #confirmPath(path: string): Promise<void> {
    // The dialog writes its folder into the input once it has read the folder, replacing any typed text, and then lists
    // it.
    await eventually('the folder in the dialog', async () => (await this.input.inputValue()).startsWith('/'));
    await this.rows.first().waitFor();
    await this.input.fill(path);
    // The dialog asks before it overwrites a file, and ignores Enter while it reads a folder. Enter would open a selected
    // folder, and the dialog would ignore another Enter.
    const others = this.root.locator('.monaco-list-row.focused').filter({ hasNotText: basename(path) });
    const hasClosed = async () => {
      if (!(await this.#showsPath())) return true;
      if ((await others.count()) > 0) return false;
      await this.#page.keyboard.press('Enter');
      return this.#pathLeaves(KEY_MS);
    };
    await eventually('the end of the dialog', hasClosed, DIALOG_MS);
  }

  /** Whether a file dialog is open. Other lists use the same box, and may follow it at once. */
  #showsPath(): Promise<boolean> {
    return this.#page.evaluate(showsPath);
  }

  /** Whether the file dialog closes soon enough for an earlier key press to have been the reason. */
  async #pathLeaves(milliseconds: number): Promise<boolean> {
    const deadline = Date.now() + milliseconds;
    while (await this.#showsPath()) {
      if (Date.now() > deadline) return false;
    }
    return true;
  }

  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.root.waitFor({ state: 'hidden' });
  }
}

/** Runs in the page. */
function showsPath(): boolean {
  const input = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
  return input !== null && input.offsetParent !== null && input.value.startsWith('/');
}
