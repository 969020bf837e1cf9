import type { Locator, Page } from 'playwright-core';

/** A message at the lower right of the window, or in the list of messages. */
const MESSAGE = '.notification-toast, .notifications-center .notification-list-item';

/** The messages at the lower right of the window. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** A message that holds this text. */
  with(text: string | RegExp): Locator {
    return this.#page.locator(MESSAGE).filter({ hasText: text }).first();
  }

  async areShown(): Promise<boolean> {
    return (await this.#page.locator(MESSAGE).count()) > 0;
  }

  /** Waits for the message, clicks one of its buttons, and sees it go. */
  async choose(text: string | RegExp, button: string): Promise<void> {
    const chosen = this.with(text).getByRole('button', { name: button, exact: true });
    await chosen.click();
    await chosen.waitFor({ state: 'hidden' });
  }

  /** The dialog in the middle of the window, which waits for an answer. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }
}
