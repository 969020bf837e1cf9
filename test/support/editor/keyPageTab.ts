import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The page that creates a local key, in its editor tab. */
export class KeyPageTab {
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page
      .frameLocator('iframe.webview[src*="extensionId=model-access.model-access"]:not([src*="purpose=webviewView"])')
      .frameLocator('iframe#active-frame');
  }

  get name(): Locator {
    return this.frame.getByRole('textbox', { name: 'Name', exact: true });
  }

  get create(): Locator {
    return this.frame.getByRole('button', { name: 'Create Local Key' });
  }

  field(name: string): Locator {
    return this.frame.getByRole('textbox', { name });
  }
}
