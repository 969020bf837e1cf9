import type { Frame, FrameLocator, Page } from 'playwright-core';

/**
 * The extension's pages. The editor lays each over its place, and names those in tabs in an attribute of their tab. A
 * page's address tells its place only until it is hidden for the first time.
 */
const PAGE = `xpath=//iframe[contains(@src, 'extensionId=model-access.model-access')]`;
const IS_IN_TAB = `../@id = //*[starts-with(@id, 'webview-editor-element-')]/@aria-flowto`;

/** Returns the extension's page in the editor tab that is shown. */
export function tabFrame(page: Page): FrameLocator {
  const shown = page.locator(`${PAGE}[${IS_IN_TAB}]`).filter({ visible: true }).last();
  return shown.contentFrame().frameLocator('iframe#active-frame');
}

/** Finds elements in a page of the extension. */
export type PageContents = Pick<FrameLocator, 'locator' | 'getByRole' | 'getByText' | 'getByTitle' | 'getByLabel'>;

/** Whether a page of the extension is still the one that is shown in its place. While it is loaded again, there are two. */
export function isLoaded(frame: Frame): boolean {
  return !frame.isDetached() && frame.parentFrame()?.childFrames().length === 1;
}

/**
 * Returns the extension's page in a view, however often it is loaded. Its locators cost three times as much as those of
 * the page's frame, which fail when the page is loaded again.
 */
export function lastingViewFrame(page: Page): FrameLocator {
  const shown = page.locator(`${PAGE}[not(${IS_IN_TAB})]`).filter({ visible: true }).first();
  return shown.contentFrame().frameLocator('iframe#active-frame');
}
