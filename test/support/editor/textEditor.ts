import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { WindowDriver } from './windowDriver.ts';

/** The text editor in front. */
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

  /** Opens a file of the workspace by its path in it and waits until its text is there. */
  async open(path: string): Promise<void> {
    await this.#driver().open(join(this.#workspace, path));
    await this.waitForTab(basename(path));
  }

  /** Waits until a file is in front and its text is there. */
  async waitForTab(name: string): Promise<void> {
    await this.#page.getByRole('tab', { name, selected: true }).waitFor();
    await this.root.locator('.view-line').first().waitFor();
  }

  /** Selects whole lines, both included, counted from 1. */
  async selectLines(first: number, last: number): Promise<void> {
    await this.#driver().select(first, last);
  }

  async selectAll(): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+A');
  }

  /** Puts the caret at the start of a line. */
  async goTo(line: number): Promise<void> {
    await this.#driver().select(line, line - 1);
  }

  /** Types where the caret is. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async focus(): Promise<void> {
    // In the middle: over the first lines there is a shadow, or the head of a function, once they are scrolled away.
    await this.root.locator('.monaco-scrollable-element.editor-scrollable').click();
  }

  /** The lines in sight. Spaces that the editor draws as such are given as plain ones. */
  async visibleText(): Promise<string> {
    const lines = await this.root.locator('.view-lines .view-line').allInnerTexts();
    return lines.map((line) => line.replaceAll('\u00a0', ' ')).join('\n');
  }
}
