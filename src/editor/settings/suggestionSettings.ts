import * as vscode from 'vscode';

const SECTION = 'modelAccess.inlineSuggestions';

/** The settings of inline suggestions, apart from the switch. Loaded with them. */
export class SuggestionSettings {
  /** A model of the catalog, or a model of an upstream as `upstream/model`. Empty for the automatic choice. */
  get model(): string {
    return this.#read('model', '').trim();
  }

  /** The number of tokens that a request may contain besides its instructions. */
  get contextTokens(): number {
    return Math.max(100, this.#read('contextTokens', 1500));
  }

  /** The time after which an answer is too late, in milliseconds. */
  get maxWait(): number {
    return Math.max(200, this.#read('maxWait', 1500));
  }

  /** In US dollars a day; 0 for no cap. */
  get dailyCap(): number {
    return Math.max(0, this.#read('dailyCap', 0.5));
  }

  get inComments(): boolean {
    return this.#read('inComments', false);
  }

  /** Whether a repeated change is offered at the next place where it fits. */
  get nextEdit(): boolean {
    return this.#read('nextEdit', true);
  }

  isOnFor(document: vscode.TextDocument): boolean {
    const languages = this.#read<Readonly<Record<string, boolean>>>('languages', {});
    if (!(languages[document.languageId] ?? languages['*'] ?? true)) return false;
    const excluded = this.#read<readonly string[]>('exclude', []);
    return !excluded.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
  }

  async setEnabled(isOn: boolean): Promise<void> {
    await this.#write('enabled', isOn);
  }

  async setModel(model: string): Promise<void> {
    await this.#write('model', model === '' ? undefined : model);
  }

  async setDailyCap(usd: number): Promise<void> {
    await this.#write('dailyCap', usd);
  }

  #read<T>(name: string, fallback: T): T {
    return vscode.workspace.getConfiguration(SECTION).get<T>(name, fallback);
  }

  async #write(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
  }
}
