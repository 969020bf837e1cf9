import type { FrameLocator, Locator, Page } from 'playwright-core';
import { tabFrame } from './pageFrames.ts';

/** The page that creates or changes a local key, in its editor tab. */
export class KeyPageTab {
  readonly frame: FrameLocator;

  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.frame = tabFrame(page);
  }

  get name(): Locator {
    return this.frame.getByRole('textbox', { name: 'Name', exact: true });
  }

  get create(): Locator {
    return this.frame.getByRole('button', { name: 'Create Local Key' });
  }

  /** Closes the page and returns the focus to the editor's own document, which the clipboard belongs to. */
  async close(): Promise<void> {
    await this.frame.getByRole('button', { name: 'Close' }).click();
    await this.name.waitFor({ state: 'detached' });
    await this.#page.locator('.part.editor').click();
  }

  /** Shows the fields of the limits, which are folded at first. */
  async unfoldLimits(): Promise<void> {
    await this.frame.getByText('Requests, tokens, and dollars per session').click();
  }

  field(name: string): Locator {
    return this.frame.getByRole('textbox', { name });
  }
}
