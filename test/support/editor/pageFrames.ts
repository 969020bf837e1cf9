import type { Frame, FrameLocator, Page } from 'playwright-core';

const EXTENSION = 'extensionId=model-access.model-access';
const PAGE = `iframe.webview[src*="${EXTENSION}"]`;
/** A page in a view, until the view is hidden for the first time: from then on, its address lacks its purpose. */
const VIEW_PURPOSE = 'purpose=webviewView';
const IN_VIEW = `[src*="${VIEW_PURPOSE}"]`;

/** Returns the extension's page in the editor tab that is shown. Of the pages without a purpose it is the newest. */
export function tabFrame(page: Page): FrameLocator {
  const shown = page.locator(`${PAGE}:not(${IN_VIEW})`).filter({ visible: true }).last();
  return shown.contentFrame().frameLocator('iframe#active-frame');
}

/** Finds elements in a page of the extension. */
export type PageContents = Pick<FrameLocator, 'locator' | 'getByRole' | 'getByText' | 'getByTitle' | 'getByLabel'>;

/**
 * Returns the extension's page in a view, as it is loaded now, unless it is just being loaded. Its locators fail when the
 * page is loaded again, and cost a third of those of {@link lastingViewFrame}.
 */
export function viewFrame(page: Page): Frame | undefined {
  const frames = page.mainFrame().childFrames();
  const own = frames.filter((frame) => frame.url().includes(EXTENSION));
  const view = own.find((frame) => frame.url().includes(VIEW_PURPOSE)) ?? own[0];
  const contents = view?.childFrames() ?? [];
  // While the page is loaded again, there are two.
  return contents.length === 1 ? contents[0] : undefined;
}

/** Returns the extension's page in a view, however often it is loaded. If all pages lack their purpose, it is the oldest. */
export function lastingViewFrame(page: Page): FrameLocator {
  const view = page.locator(`${PAGE}${IN_VIEW}, body:not(:has(${PAGE}${IN_VIEW})) ${PAGE}`).first();
  return view.contentFrame().frameLocator('iframe#active-frame');
}
