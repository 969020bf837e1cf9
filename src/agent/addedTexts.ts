/** What a run sends with its next step besides the results of its calls. */
export class AddedTexts {
  /** What the user has written. */
  readonly #messages: string[] = [];
  /** The results of denied calls that the user has allowed. */
  readonly #reports: string[] = [];

  get hasMessages(): boolean {
    return this.#messages.length > 0;
  }

  get hasReports(): boolean {
    return this.#reports.length > 0;
  }

  get isEmpty(): boolean {
    return !this.hasMessages && !this.hasReports;
  }

  /** Returns false if the message is empty. */
  addMessage(text: string): boolean {
    const message = text.trim();
    if (message !== '') this.#messages.push(message);
    return message !== '';
  }

  addReport(text: string): void {
    this.#reports.push(text);
  }

  /** Returns all texts, which are then no longer kept. */
  take(): string {
    return [...this.#reports.splice(0), ...this.#messages.splice(0)].join('\n\n');
  }

  /** Returns the user's messages, which are then no longer kept. */
  takeMessages(): string {
    return this.#messages.splice(0).join('\n\n');
  }
}
