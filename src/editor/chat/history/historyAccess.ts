import type * as vscode from 'vscode';
import type { HistoryPanel, HistoryServices } from './historyPanel.ts';

/** The history, loaded when it is first asked for: most windows never show it. */
export class HistoryAccess implements vscode.Disposable {
  readonly #services: HistoryServices;
  #panel: HistoryPanel | undefined;

  constructor(services: HistoryServices) {
    this.#services = services;
  }

  async panel(): Promise<HistoryPanel> {
    const { HistoryPanel } = await import('./historyPanel.ts');
    this.#panel ??= new HistoryPanel(this.#services);
    return this.#panel;
  }

  /** Follows what has changed in the files, when the list shows. */
  async refresh(fileNames?: readonly string[]): Promise<void> {
    await this.#panel?.refresh(fileNames);
  }

  dispose(): void {
    this.#panel?.dispose();
  }
}
