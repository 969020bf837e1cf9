import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { commandId, endsByItself } from './commandIds.ts';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';
import { retried } from './retried.ts';
import { TextEditor } from './textEditor.ts';
import type { WindowDriver } from './windowDriver.ts';

const PALETTE = 'F1';
/** Some themes have other names in settings than in their list. */
const THEME_IDS: Readonly<Record<string, string>> = {
  'Dark High Contrast': 'Default High Contrast',
  'Light High Contrast': 'Default High Contrast Light',
};
const SHORT_WAIT_MS = 4000;

/** The window of the editor. */
export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly textEditor: TextEditor;
  readonly secondarySideBar: Locator;
  #driver: WindowDriver | undefined;

  constructor(page: Page, workspace: string) {
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page, () => this.driver.run('notifications.showList'));
    this.textEditor = new TextEditor(page, workspace, () => this.driver);
    this.secondarySideBar = page.locator('.part.auxiliarybar');
  }

  /** Controls the window from its extension host. */
  get driver(): WindowDriver {
    if (this.#driver === undefined) throw new Error('The extension host of this window does not run yet.');
    return this.#driver;
  }

  /** Sets the driver. Must be called after each start of an extension host for this window. */
  drivenBy(driver: WindowDriver): void {
    this.#driver = driver;
  }

  /**
   * Runs a command by its title in the palette, such as `Model Access: Open Chat`, without the palette. The test must
   * wait for the effect of an extension's command, because many end only after the user's answer.
   */
  async runCommand(title: string): Promise<void> {
    const id = await commandId(title);
    await (endsByItself(id) ? this.driver.run(id) : this.driver.begin(id));
  }

  /** Picks a command in the palette, as a user does. */
  async pickCommand(title: string): Promise<void> {
    await this.quickInput.openAndPick(PALETTE, `>${title}`, title);
  }

  /** Closes every editor and discards unsaved changes, about which the editor would ask in a dialog. */
  async closeAllEditors(): Promise<void> {
    const tabs = this.page.locator('.part.editor').getByRole('tab');
    // An editor that is being opened at the end of a test appears meanwhile.
    await eventually('the end of all editors', async () => {
      for (let left = await tabs.count(); left > 0; left -= 1) {
        await this.driver.run('workbench.action.revertAndCloseActiveEditor');
      }
      await this.driver.run('workbench.action.closeAllEditors');
      return (await tabs.count()) === 0;
    });
  }

  /** Trusts the authors of the folder, as a user does who was asked. */
  async trustFolder(): Promise<void> {
    await this.driver.run('workbench.trust.manage');
    const page = this.page.locator('.workspace-trust-editor');
    const trust = page.getByRole('button', { name: 'Trust', exact: true });
    // While it starts, the editor does not know its extensions yet, and would not enable them.
    await page.getByText(/^\d+ extensions are disabled/).waitFor();
    await retried(async () => {
      if (await trust.isVisible()) await trust.click({ timeout: SHORT_WAIT_MS });
      await page.getByText('You trust this folder', { exact: true }).waitFor({ timeout: SHORT_WAIT_MS });
    });
    await this.closeAllEditors();
  }

  /** Hides the area below the editors, such as terminals, which leaves little space for the editors. */
  async hidePanel(): Promise<void> {
    const panel = this.page.locator('.part.panel');
    if (!(await panel.isVisible())) return;
    await this.runCommand('View: Hide Panel');
    await panel.waitFor({ state: 'hidden' });
  }

  /** Whether the palette offers a command, as decided by `when` clauses and enablement. */
  async offersCommand(title: string): Promise<boolean> {
    await this.quickInput.openAndType(PALETTE, `>${title}`);
    await this.quickInput.rows.first().waitFor();
    const offered = await this.quickInput.rows.filter({ hasText: title }).count();
    await this.quickInput.cancel();
    return offered > 0;
  }

  /** Stops the gateway of the window if it is running, and waits until it is off. */
  async stopGateway(): Promise<void> {
    await this.driver.run('modelAccess.stopGateway');
    await this.waitForGatewayOff();
  }

  /** Cleans up after a failed test: removes what would disturb the next one, such as an answer in progress. */
  async clear(): Promise<void> {
    const box = this.quickInput.root.or(this.notifications.dialog).filter({ visible: true });
    await eventually('the end of all questions to the person', async () => {
      await this.page.keyboard.press('Escape');
      return (await box.count()) === 0;
    });
    await this.driver.run('modelAccess.stopAnswer');
    await this.clearNotifications();
    await this.closeAllEditors();
    await this.driver.run('workbench.action.terminal.killAll');
    await this.hidePanel();
  }

  /** Closes the notifications that are shown, and those that appear meanwhile. */
  async clearNotifications(): Promise<void> {
    await eventually('the end of all messages', async () => {
      await this.driver.run('notifications.clearAll');
      await this.notifications.cancelAll();
      return !(await this.notifications.areShown());
    });
  }

  /** Closes the list of notifications, which covers the bottom right of the window, and keeps its messages. */
  hideNotifications(): Promise<void> {
    return this.driver.run('notifications.hideList');
  }

  /** Returns an item of the status bar by the ID that the extension gave it, such as `modelAccess.status`. */
  statusBarItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id$="${id}"]`);
  }

  /** Waits until an item of the status bar shows a text. */
  async waitForStatusBar(id: string, text: string | RegExp): Promise<void> {
    await this.statusBarItem(id).filter({ hasText: text }).waitFor();
  }

  /** Waits until the status bar no longer shows a gateway. */
  async waitForGatewayOff(): Promise<void> {
    const tower = this.page.locator('.codicon-radio-tower');
    await this.statusBarItem('modelAccess.status').filter({ hasNot: tower }).waitFor();
  }

  /** Waits until the clipboard contains a text. */
  async waitForClipboard(text: string): Promise<void> {
    await eventually('the text in the clipboard', async () => (await this.readClipboard()) === text);
  }

  /** Clears the clipboard, so that the next copied text is not mistaken for an earlier one. */
  async clearClipboard(): Promise<void> {
    await this.writeClipboard('');
  }

  async writeClipboard(text: string): Promise<void> {
    await this.#withFocus(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  readClipboard(): Promise<string> {
    return this.#withFocus('navigator.clipboard.readText()');
  }

  // When a tab with a webview is closed, nothing has the focus for a moment, and the browser refuses its clipboard.
  #withFocus<T>(expression: string): Promise<T> {
    return this.page.evaluate<T>(`window.focus(), ${expression}`);
  }

  /** Shows the hover of a status bar item, with these texts. */
  async hoverStatusBar(id: string, ...texts: readonly (string | RegExp)[]): Promise<Locator> {
    const hover = this.page.locator('.monaco-hover:visible').last();
    // If the item is updated under the pointer, its hover closes, and does not open until the pointer moves to it again.
    await retried(async () => {
      await this.page.locator('.part.editor').hover();
      await this.statusBarItem(id).hover();
      await hover.waitFor({ timeout: SHORT_WAIT_MS });
      for (const text of texts) await hover.getByText(text).waitFor({ timeout: SHORT_WAIT_MS });
    });
    return hover;
  }

  /** Sets a theme by its name in the list. */
  async chooseTheme(name: string): Promise<void> {
    await this.driver.configure({ 'workbench.colorTheme': THEME_IDS[name] ?? name });
  }

  /** Waits until the workbench has one of these kinds of theme. */
  async waitForTheme(kind: 'vs' | 'vs-dark' | 'hc-black' | 'hc-light'): Promise<void> {
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
  }

  /**
   * Drags the edge of the secondary side bar until it has this width in pixels, or the nearest that the editor allows.
   */
  async setSecondarySideBarWidth(width: number): Promise<void> {
    const box = await this.secondarySideBar.boundingBox();
    if (box === null) throw new Error('The secondary side bar is not shown.');
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x - 1, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x - 1 + (box.width - width), y, { steps: 8 });
    await this.page.mouse.up();
    await this.page.mouse.move(box.x - 200, y);
  }
}
