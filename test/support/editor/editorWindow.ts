import type { BrowserContext, Page } from 'playwright-core';
import type { EditorHost } from '../../../scripts/lib/editorHost.ts';
import { readSettings } from '../../../scripts/lib/editorSettings.ts';
import { ChatPanel } from './chatPanel.ts';
import type { EditorLogs } from './editorLogs.ts';
import type { WindowDrivers } from './windowDriver.ts';
import { Workbench } from './workbench.ts';

const START_MS = 90_000;

/** What all windows of an editor share. */
export interface WindowSurroundings {
  readonly context: BrowserContext;
  readonly host: EditorHost;
  readonly drivers: WindowDrivers;
  readonly logs: EditorLogs;
  readonly workspace: string;
}

/** A window of the editor in a page of the browser; it has an extension host of its own. */
export class EditorWindow {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
  readonly #around: WindowSurroundings;

  private constructor(page: Page, around: WindowSurroundings) {
    this.page = page;
    this.#around = around;
    this.workbench = new Workbench(page, around.workspace);
    this.chat = new ChatPanel(page);
  }

  /**
   * Opens a window and waits until the extension in it is ready.
   *
   * @param language such as `de`. The editor's own words stay English without a language pack; those of extensions follow.
   */
  static async open(around: WindowSurroundings, language?: string): Promise<EditorWindow> {
    const page = await around.context.newPage();
    around.logs.follow(page);
    // Where a language pack is installed, the editor's page sets this before its script starts.
    if (language !== undefined) {
      await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)}`);
    }
    const window = new EditorWindow(page, around);
    await page.goto(around.host.address(around.workspace), { timeout: START_MS });
    await window.#waitUntilReady();
    return window;
  }

  /** Loads the window again, as Developer: Reload Window does. */
  async reload(): Promise<void> {
    await this.page.reload({ timeout: START_MS });
    await this.#waitUntilReady();
  }

  /** Waits for the driver of an extension host that was started anew. */
  async takeDriver(): Promise<void> {
    this.workbench.drivenBy(await this.#around.drivers.next());
  }

  /** Also where it is closed already. */
  async close(): Promise<void> {
    await this.page.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The window is ready when the extension is: from then on its item is in the status bar and says what answers. */
  async #waitUntilReady(): Promise<void> {
    await this.takeDriver();
    const { 'modelAccess.sandbox.enabled': sandbox } = await readSettings(this.#around.host.userFolder, 'Machine');
    const item = this.workbench.statusBarItem('modelAccess.balance');
    await item.filter(sandbox === true ? { hasText: 'Sandbox' } : {}).waitFor({ timeout: START_MS });
  }
}
