import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { viewFrame } from './pageFrames.ts';
import { retried } from './retried.ts';

const SHORT_WAIT_MS = 4000;

/** The chat panel in its webview. Elements are found by role and accessible name, as by assistive technology. */
export class ChatPanel {
  readonly frame: FrameLocator;
  readonly composer: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly thread: Locator;
  /** Questions and answers, oldest first. */
  readonly turns: Locator;
  readonly answers: Locator;
  readonly meter: Locator;
  /** The line under the meter: tokens and cost. A click opens the breakdown. */
  readonly meterLine: Locator;
  readonly breakdown: Locator;
  readonly modelPicker: Locator;
  readonly formatPicker: Locator;
  readonly failure: Locator;
  /** The list of saved chats. */
  readonly history: Locator;
  readonly historyRows: Locator;
  readonly historySearch: Locator;
  /** Shown instead of the thread while the chat is empty. */
  readonly emptyHeading: Locator;

  constructor(page: Page) {
    this.frame = viewFrame(page);
    this.composer = this.frame.getByRole('textbox', { name: 'Message' });
    this.send = this.frame.getByRole('button', { name: 'Send', exact: true });
    this.stop = this.frame.getByRole('button', { name: 'Stop', exact: true });
    this.thread = this.frame.getByRole('log', { name: 'Chat' });
    this.turns = this.frame.getByRole('article');
    this.answers = this.frame.locator('article.answer');
    this.meter = this.frame.getByRole('meter', { name: 'Request size' });
    this.meterLine = this.frame.getByTitle('Request breakdown');
    this.breakdown = this.frame.locator('.breakdown');
    this.modelPicker = this.frame.getByRole('button', { name: /^(Model: |Choose a model)/ });
    this.formatPicker = this.frame.getByRole('button', { name: /^Format: / });
    this.history = this.frame.getByRole('region', { name: 'History' });
    this.historyRows = this.history.getByRole('option');
    this.historySearch = this.history.getByRole('combobox', { name: 'Search titles and messages' });
    this.failure = this.frame.getByRole('alert');
    this.emptyHeading = this.frame.getByRole('heading', { name: 'What are you working on?' });
  }

  /** Waits until the panel is shown: the composer, or the welcome page without a key. */
  async waitUntilShown(): Promise<void> {
    await this.composer
      .or(this.frame.getByRole('button', { name: 'Try the sandbox' }))
      .first()
      .waitFor();
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
