import type { Locator } from 'playwright-core';
import type { Editor } from './editor.ts';
import { tabFrame } from './pageFrames.ts';

/** The tab in which the changes of answers are accepted and discarded. */
export class ReviewTab {
  readonly #editor: Editor;
  /** The name of the file, or the number of files. */
  readonly #of: string;

  constructor(editor: Editor, of: string) {
    this.#editor = editor;
    this.#of = of;
  }

  get frame() {
    return tabFrame(this.#editor.page);
  }

  get tab(): Locator {
    return this.#editor.page.getByRole('tab', { name: `Review: ${this.#of}`, selected: true });
  }

  /** Waits until it is in front and shows how many changes are open. */
  async waitFor(open: number, all = open): Promise<void> {
    await this.tab.waitFor();
    const left = all === 1 ? `${open} of 1 change to review` : `${open} of ${all} changes to review`;
    await this.frame.locator('.review-bar').getByText(left).waitFor();
  }

  async waitUntilClosed(): Promise<void> {
    await this.#editor.page.getByRole('tab', { name: `Review: ${this.#of}` }).waitFor({ state: 'detached' });
  }

  /** A button of the bar, or of the current change. */
  button(name: string): Locator {
    return this.frame
      .locator('.review-bar, [aria-current="true"]')
      .getByRole('button', { name: new RegExp(`^${name}( \\(|$)`) });
  }

  async click(name: string): Promise<void> {
    await this.button(name).click();
  }
}
