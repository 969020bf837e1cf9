import type { Frame, Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { isLoaded, lastingViewFrame, type PageContents } from './pageFrames.ts';
import { retried } from './retried.ts';

const SHORT_WAIT_MS = 4000;

/** The chat panel in its webview. Elements are found by role and accessible name, as by assistive technology. */
export class ChatPanel {
  readonly #page: Page;
  /** The page that was seen complete. While a panel opens, the editor loads an empty page before the panel's own. */
  #shown: Frame | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The page of the panel as it is loaded now, so locators must not be kept over a reload. */
  get frame(): PageContents {
    return this.#shown !== undefined && isLoaded(this.#shown) ? this.#shown : lastingViewFrame(this.#page);
  }

  /** Returns an answer, counted from 0, even if the panel is loaded again while a test waits for something in it. */
  lastingAnswer(index: number): Locator {
    return lastingViewFrame(this.#page).locator('article.answer').nth(index);
  }

  get composer(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  get send(): Locator {
    return this.frame.getByRole('button', { name: 'Send', exact: true });
  }

  get stop(): Locator {
    return this.frame.getByRole('button', { name: 'Stop', exact: true });
  }

  get thread(): Locator {
    return this.frame.getByRole('log', { name: 'Chat' });
  }

  /** Questions and answers, oldest first. */
  get turns(): Locator {
    return this.frame.getByRole('article');
  }

  get answers(): Locator {
    return this.frame.locator('article.answer');
  }

  get meter(): Locator {
    return this.frame.getByRole('meter', { name: 'Request size' });
  }

  /** The line under the meter: tokens and cost. A click opens the breakdown. */
  get meterLine(): Locator {
    return this.frame.getByTitle('Request breakdown');
  }

  get breakdown(): Locator {
    return this.frame.locator('.breakdown');
  }

  get modelPicker(): Locator {
    return this.frame.getByRole('button', { name: /^(Model: |Choose a model)/ });
  }

  get formatPicker(): Locator {
    return this.frame.getByRole('button', { name: /^Format: / });
  }

  get failure(): Locator {
    return this.frame.getByRole('alert');
  }

  /** The card in which the agent asks before it acts. */
  get approval(): Locator {
    return this.frame.getByRole('alertdialog');
  }

  /** The list of saved chats. */
  get history(): Locator {
    return this.frame.getByRole('region', { name: 'History' });
  }

  get historyRows(): Locator {
    return this.history.getByRole('option');
  }

  get historySearch(): Locator {
    return this.history.getByRole('combobox', { name: 'Search titles and messages' });
  }

  /** Shown instead of the thread while the chat is empty. */
  get emptyHeading(): Locator {
    return this.frame.getByRole('heading', { name: 'What are you working on?' });
  }

  /** Waits until the panel is shown: the composer, or the welcome page without a key. It may be loading until then. */
  async waitUntilShown(): Promise<void> {
    const frame = lastingViewFrame(this.#page);
    const usable = frame
      .getByRole('textbox', { name: 'Message' })
      .or(frame.getByRole('button', { name: 'Try the Sandbox' }))
      .first();
    await usable.waitFor();
    const shown = await usable.elementHandle();
    this.#shown = (await shown?.ownerFrame()) ?? undefined;
    await shown?.dispose();
  }

  /** Types a question and sends it, without waiting for the answer. */
  async ask(question: string): Promise<void> {
    await this.composer.fill(question);
    await this.send.click();
  }

  /** Clears the text and removes the attachments, which an empty chat keeps. */
  async clearComposer(): Promise<void> {
    const removeButtons = this.frame.locator('.composer .chip-button');
    await eventually('an empty composer', async () => {
      await removeButtons.evaluateAll((buttons) => {
        for (const button of buttons) (button as HTMLElement).click();
      });
      await this.composer.fill('');
      return (await this.composer.inputValue()) === '' && (await removeButtons.count()) === 0;
    });
  }

  /** Asks a question and waits for the end of the answer. */
  async askAndWait(question: string): Promise<Locator> {
    const before = await this.answers.count();
    await this.ask(question);
    return this.waitForAnswer(before);
  }

  /** Waits until the answer at this index, counted from 0, has ended in any way. */
  async waitForAnswer(index: number): Promise<Locator> {
    const answer = this.answers.nth(index);
    await answer.and(this.frame.locator('[aria-busy="false"], :not([aria-busy])')).waitFor();
    return answer;
  }

  /** Waits for the notice of an action, and undoes it. */
  async undo(action: string): Promise<void> {
    const notice = this.frame.locator('.notice', { hasText: action });
    await notice.getByRole('button', { name: 'Undo', exact: true }).click();
    await notice.waitFor({ state: 'detached' });
  }

  /**
   * Pastes an image into the composer.
   * @param data base64.
   */
  async pasteImage(name: string, data: string): Promise<void> {
    await this.composer.click();
    await this.composer.evaluate(
      (field, file) => {
        const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], file.name, { type: 'image/png' }));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { name, data },
    );
  }

  /** Chooses a model by its name or a part of it. */
  async chooseModel(name: string): Promise<void> {
    const filter = this.frame.getByRole('combobox', { name: 'Choose a model' });
    // The list closes when the focus returns to the composer, which can happen some time after a chat is shown.
    await retried(async () => {
      if (!(await filter.isVisible())) await this.modelPicker.click({ timeout: SHORT_WAIT_MS });
      await filter.fill(name, { timeout: SHORT_WAIT_MS });
      await this.frame.getByRole('option', { name }).first().click({ timeout: SHORT_WAIT_MS });
    });
    await this.frame.getByRole('button', { name: `Model: ${name}` }).waitFor();
  }

  /** Leaves Agent mode, which a new chat takes over from the one before. */
  async chooseAsk(): Promise<void> {
    const mode = this.frame.getByRole('button', { name: /^Mode: Agent/ });
    if ((await mode.count()) === 0) return;
    await mode.click();
    await this.frame.getByRole('option', { name: /^Ask/ }).click();
    await mode.waitFor({ state: 'detached' });
  }

  /** @param name the name of an agent that has a file. */
  async chooseAgent(name = 'Agent'): Promise<void> {
    await this.frame.getByRole('button', { name: /^Mode: / }).click();
    await this.frame.getByRole('option', { name: new RegExp(`^${name}(?!,)`) }).click();
    await this.frame.getByRole('button', { name: `Mode: ${name}` }).waitFor();
  }

  async chooseFormat(name: 'chat-completions' | 'messages' | 'responses'): Promise<void> {
    const wide = this.frame.getByRole('button', { name: 'Parameters' });
    const narrow = this.frame.getByRole('button', { name: 'More', exact: true });
    const open = async () => {
      await wide.or(narrow).filter({ visible: true }).first().click();
      const item = this.frame.getByRole('menuitem', { name: /^Format: / });
      await this.formatPicker.or(item).filter({ visible: true }).first().waitFor();
      return this.formatPicker.or(item).filter({ visible: true }).first();
    };
    await (await open()).click();
    await this.frame.getByRole('option', { name }).click();
    await (await open()).filter({ hasText: `Format: ${name}` }).waitFor();
    await this.frame.locator(':focus').press('Escape');
  }

  /** Waits until the service has counted the request, and returns its input tokens. */
  async countedTokens(): Promise<number> {
    await this.meterLine.filter({ hasText: /^\d/ }).waitFor();
    return Number(/^\d+/.exec(await this.meterText())?.[0]);
  }

  /**
   * Types a text and waits until the service has counted it. Until then, the meter may show the count of the previous
   * text.
   */
  async countOf(text: string): Promise<number> {
    const before = await this.meterText();
    await this.composer.fill(text);
    await eventually('another count', async () => (await this.meterText()) !== before);
    return this.countedTokens();
  }

  /**
   * Returns the meter's text for screen readers, such as `About 12,800 tokens, 6 percent of the window, about 5 cents`.
   */
  async meterText(): Promise<string> {
    return (await this.meter.getAttribute('aria-valuetext')) ?? '';
  }
}
