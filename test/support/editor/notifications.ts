import { errors, type Locator, type Page } from 'playwright-core';

/** A message at the lower right of the window, or in the list of messages. */
const MESSAGE = '.notification-toast, .notifications-center .notification-list-item';

const SHOWING_MS = 5_000;

/** The messages at the lower right of the window. */
export class Notifications {
  readonly #page: Page;
  readonly #showList: () => Promise<void>;

  constructor(page: Page, showList: () => Promise<void>) {
    this.#page = page;
    this.#showList = showList;
  }

  /** A message that holds this text. */
  with(text: string | RegExp): Locator {
    return this.#page.locator(MESSAGE).filter({ hasText: text }).first();
  }

  /**
   * Waits for a message. The editor shows three of those that come within 0.8 s and keeps the others in its list, which is
   * opened for one that does not show.
   */
  async waitFor(text: string | RegExp): Promise<void> {
    try {
      await this.with(text).waitFor({ timeout: SHOWING_MS });
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      await this.#showList();
      await this.with(text).waitFor();
    }
  }

  async areShown(): Promise<boolean> {
    return (await this.#page.locator(MESSAGE).count()) > 0;
  }

  /** Waits for the message, clicks one of its buttons, and sees it go. */
  async choose(text: string | RegExp, button: string): Promise<void> {
    await this.waitFor(text);
    const chosen = this.with(text).getByRole('button', { name: button, exact: true });
    await chosen.click();
    await chosen.waitFor({ state: 'hidden' });
  }

  /** The dialog in the middle of the window, which waits for an answer. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }
}
