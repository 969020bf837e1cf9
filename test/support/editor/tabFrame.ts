import type { FrameLocator, Page } from 'playwright-core';

/** The page of the extension in an editor tab. Other webviews of the extension may be open beside it, in views. */
export function tabFrame(page: Page): FrameLocator {
  return page
    .frameLocator('iframe.webview[src*="extensionId=model-access.model-access"]:not([src*="purpose=webviewView"])')
    .frameLocator('iframe#active-frame');
}
