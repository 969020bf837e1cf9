import * as vscode from 'vscode';

/** How long the editor may take to read a walkthrough. It does so when one is first opened. */
const READING_MS = 1500;

/** The walkthrough in its tab. */
export class FirstStepsPage {
  readonly #walkthrough: string;
  #wasRead = false;

  constructor(walkthrough: string) {
    this.#walkthrough = walkthrough;
  }

  /** Until it has read them, the editor shows a list of other walkthroughs in their place, and does not look again. */
  async open(): Promise<void> {
    await this.#show();
    if (this.#wasRead) return;
    this.#wasRead = true;
    const page = vscode.window.tabGroups.activeTabGroup.activeTab;
    await new Promise((resolve) => setTimeout(resolve, READING_MS));
    if (vscode.window.tabGroups.activeTabGroup.activeTab === page) await this.#show();
  }

  async #show(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', this.#walkthrough);
  }
}
