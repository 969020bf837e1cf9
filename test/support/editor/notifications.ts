import type { Locator, Page } from 'playwright-core';

/** The messages at the lower right of the window. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** A message that holds this text. */
  with(text: string | RegExp): Locator {
    return this.#page.locator('.notification-toast').filter({ hasText: text }).first();
  }

  /** Waits for the message and clicks one of its buttons. */
  async choose(text: string | RegExp, button: string): Promise<void> {
    await this.with(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** The dialog in the middle of the window, which waits for an answer. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }
}
