import type { FrameLocator, Page } from 'playwright-core';

const PAGE = 'iframe.webview[src*="extensionId=model-access.model-access"]';
/** A page in a view, until the view is hidden for the first time: from then on, its address lacks its purpose. */
const IN_VIEW = '[src*="purpose=webviewView"]';

/** Returns the extension's page in the editor tab that is shown. Of the pages without a purpose it is the newest. */
export function tabFrame(page: Page): FrameLocator {
  const shown = page.locator(`${PAGE}:not(${IN_VIEW})`).filter({ visible: true }).last();
  return shown.contentFrame().frameLocator('iframe#active-frame');
}

/** Returns the extension's page in a view. If all pages lack their purpose, it is the oldest. */
export function viewFrame(page: Page): FrameLocator {
  const view = page.locator(`${PAGE}${IN_VIEW}, body:not(:has(${PAGE}${IN_VIEW})) ${PAGE}`).first();
  return view.contentFrame().frameLocator('iframe#active-frame');
}
