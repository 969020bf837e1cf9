import type { BrowserContext, Page } from 'playwright-core';
import type { EditorHost } from '../../../scripts/lib/editorHost.ts';
import { readSettings } from '../../../scripts/lib/editorSettings.ts';
import { eventually } from '../eventually.ts';
import { ChatPanel } from './chatPanel.ts';
import type { EditorLogs } from './editorLogs.ts';
import { isInSavedState } from './savedState.ts';
import type { WindowDrivers } from './windowDriver.ts';
import { Workbench } from './workbench.ts';

const START_MS = 90_000;
/**
 * On a busy machine, the editor creates some of its parts much later than it starts its extensions, such as the one that
 * shows an extension's texts in its empty views: one every half second, until the page has time. It marks their end.
 */
const ARE_PARTS_CREATED = `performance.getEntriesByName('code/didCreateWorkbenchContributions/3').length > 0`;

/** What all windows of an editor share. */
export interface WindowSurroundings {
  readonly context: BrowserContext;
  readonly host: EditorHost;
  readonly drivers: WindowDrivers;
  readonly logs: EditorLogs;
  readonly workspace: string;
}

export interface WindowOptions {
  /**
   * Such as `de`. Without a language pack the editor's own texts stay English; those of extensions change.
   */
  readonly language?: string;
  /** The path of the folder; by default, that of the editor's first window. */
  readonly folder?: string;
}

/** A window of the editor in a page of the browser, with an extension host of its own. */
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

  /** Opens a window and waits until its extension is ready. */
  static async open(around: WindowSurroundings, options: WindowOptions = {}): Promise<EditorWindow> {
    const { language, folder = around.workspace } = options;
    const page = await around.context.newPage();
    around.logs.follow(page);
    // The editor's page sets this before its script starts if a language pack is installed.
    if (language !== undefined) {
      await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)}`);
    }
    const window = new EditorWindow(page, around);
    await page.goto(around.host.address(folder), { timeout: START_MS });
    await window.#waitUntilReady();
    return window;
  }

  /** Reloads the window, like Developer: Reload Window. */
  async reload(): Promise<void> {
    await this.page.reload({ timeout: START_MS });
    await this.#waitUntilReady();
  }

  /**
   * Waits until the state is saved. A served editor keeps its state in the browser, and saves it only every few
   * seconds.
   */
  async waitForSavedState(text: string): Promise<void> {
    await eventually(`saved state with “${text}”`, () => isInSavedState(this.page, text));
  }

  /** Waits for the driver of an extension host that was restarted. */
  async takeDriver(): Promise<void> {
    this.workbench.drivenBy(await this.#around.drivers.next());
  }

  /** Closes the window. Does nothing if it is closed already. */
  async close(): Promise<void> {
    await this.page.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Waits until the editor and the extension are ready. From then on its status bar item shows what answers. */
  async #waitUntilReady(): Promise<void> {
    await this.takeDriver();
    const { 'modelAccess.sandbox.enabled': sandbox } = await readSettings(this.#around.host.userFolder, 'Machine');
    const item = this.workbench.statusBarItem('modelAccess.status');
    await item.filter(sandbox === true ? { hasText: 'Sandbox' } : {}).waitFor({ timeout: START_MS });
    await eventually('the parts of the editor', async () => this.page.evaluate<boolean>(ARE_PARTS_CREATED), START_MS);
  }
}
