import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import type { WindowDriver } from './windowDriver.ts';

/** The active text editor. */
export class TextEditor {
  readonly root: Locator;
  readonly #page: Page;
  readonly #workspace: string;
  readonly #driver: () => WindowDriver;

  constructor(page: Page, workspace: string, driver: () => WindowDriver) {
    this.#page = page;
    this.#workspace = workspace;
    this.#driver = driver;
    this.root = page.locator('.part.editor .editor-instance').last();
  }

  /** Opens a file of the workspace by its path in it, and waits until its text is shown. */
  async open(path: string): Promise<void> {
    await this.#driver().open(join(this.#workspace, path));
    await this.waitForTab(basename(path));
  }

  /** Waits until a file is active and its text is shown. */
  async waitForTab(name: string): Promise<void> {
    await this.#page.getByRole('tab', { name, selected: true }).waitFor();
    await this.root.locator('.view-line').first().waitFor();
  }

  /** Selects whole lines, including both, counted from 1. */
  async selectLines(first: number, last: number): Promise<void> {
    await this.#driver().select(first, last);
  }

  async selectAll(): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+A');
  }

  /** Moves the cursor to the start of a line. */
  async goTo(line: number): Promise<void> {
    await this.#driver().select(line, line - 1);
  }

  /** Types at the cursor. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async focus(): Promise<void> {
    // Clicks in the middle, because once the first lines are scrolled away, a shadow or the header of a function is
    // above them.
    await this.root.locator('.monaco-scrollable-element.editor-scrollable').click();
  }

  /** Returns the visible lines. Spaces that the editor renders as non-breaking are returned as plain ones. */
  async visibleText(): Promise<string> {
    const lines = await this.root.locator('.view-lines .view-line').evaluateAll((drawn) =>
      (drawn as HTMLElement[])
        // The editor reuses elements, so their order is not that of the lines.
        .toSorted((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
        .map((line) => line.innerText),
    );
    return lines.map((line) => line.replaceAll('\u00a0', ' ')).join('\n');
  }

  /** Waits until the visible lines match, because a change is drawn some time after it was made. */
  async waitForText(pattern: RegExp): Promise<string> {
    let text = '';
    await eventually(`${pattern} in the text editor`, async () => {
      text = await this.visibleText();
      return pattern.test(text);
    });
    return text;
  }
}
