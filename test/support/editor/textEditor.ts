import type { Locator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** The text editor in front. */
export class TextEditor {
  readonly root: Locator;
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
    this.root = page.locator('.part.editor .editor-instance').last();
  }

  /**
   * Opens a file of the workspace by its name and waits until its text is there. The editor's list of files may lack one
   * that was made a moment ago; such a one needs its `path` in the workspace.
   */
  async open(name: string, path = name): Promise<void> {
    await this.#quickInput.openAndPick('ControlOrMeta+P', path, name);
    await this.waitForTab(name);
  }

  /** Waits until a file is in front and its text is there. */
  async waitForTab(name: string): Promise<void> {
    await this.#page.getByRole('tab', { name, selected: true }).waitFor();
    await this.root.locator('.view-line').first().waitFor();
  }

  /** Selects whole lines, both included, counted from 1. */
  async selectLines(first: number, last: number): Promise<void> {
    await this.goTo(first);
    for (let line = first; line <= last; line += 1) await this.#page.keyboard.press('Shift+ArrowDown');
  }

  async selectAll(): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+A');
  }

  /** Puts the caret at the start of a line. */
  async goTo(line: number): Promise<void> {
    await this.focus();
    await this.#quickInput.open('Control+G');
    await this.#quickInput.enter(`:${line}:1`);
    await this.#quickInput.root.waitFor({ state: 'hidden' });
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
