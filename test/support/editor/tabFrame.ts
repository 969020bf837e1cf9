import type { FrameLocator, Page } from 'playwright-core';

/** Returns the extension's page in an editor tab. Other webviews of the extension may be open in views. */
export function tabFrame(page: Page): FrameLocator {
  return page
    .frameLocator('iframe.webview[src*="extensionId=model-access.model-access"]:not([src*="purpose=webviewView"])')
    .frameLocator('iframe#active-frame');
}
