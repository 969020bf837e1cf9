import { errors, type Locator, type Page } from 'playwright-core';

/** A notification at the lower right of the window, or in the list of notifications. */
const MESSAGE = '.notification-toast, .notifications-center .notification-list-item';

const SHOWING_MS = 5_000;

/** The notifications of the window. */
export class Notifications {
  readonly #page: Page;
  readonly #showList: () => Promise<void>;

  constructor(page: Page, showList: () => Promise<void>) {
    this.#page = page;
    this.#showList = showList;
  }

  /** The list keeps a row while it is hidden. */
  get #shown(): Locator {
    return this.#page.locator(MESSAGE).filter({ visible: true });
  }

  /** Returns the notification that contains this text. */
  with(text: string | RegExp): Locator {
    return this.#shown.filter({ hasText: text }).first();
  }

  /**
   * Waits for a notification. The editor shows three of those that arrive within 0.8 s and keeps the others in its
   * list, which is opened if the notification is not shown.
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
    return (await this.#shown.count()) > 0;
  }

  /** Cancels what notifications show the progress of. The editor does not close them before it has ended. */
  async cancelAll(): Promise<void> {
    const buttons = this.#shown.getByRole('button', { name: 'Cancel', exact: true });
    await buttons.evaluateAll((shown) => {
      for (const button of shown) (button as HTMLElement).click();
    });
  }

  /** Waits for the notification, clicks one of its buttons, and waits until it is gone. */
  async choose(text: string | RegExp, button: string): Promise<void> {
    await this.waitFor(text);
    const chosen = this.with(text).getByRole('button', { name: button, exact: true });
    await chosen.click();
    await chosen.waitFor({ state: 'hidden' });
  }

  /** The modal dialog, which waits for an answer. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }
}
