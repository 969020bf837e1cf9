import type { FrameLocator, Locator, Page } from 'playwright-core';
import { tabFrame } from './pageFrames.ts';

/** The page that connects a tool, in its editor tab. */
export class ConnectPageTab {
  readonly frame: FrameLocator;
  readonly #tab: Locator;

  constructor(page: Page) {
    this.#tab = page.getByRole('tab', { name: 'Connect a Tool' });
    this.frame = tabFrame(page);
  }

  tool(name: string): Locator {
    return this.frame.getByRole('radio', { name });
  }

  /** The line with the tools that were not found, which expands to show them. */
  get others(): Locator {
    return this.frame.getByText('Not found on this computer');
  }

  get model(): Locator {
    return this.frame.getByRole('combobox', { name: 'Model' });
  }

  field(name: string): Locator {
    return this.frame.getByRole('textbox', { name });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /**
   * Closes the tab and waits until it is gone, because until then the command would show it instead of opening another
   * one.
   */
  async close(): Promise<void> {
    await this.button('Done').click();
    await this.#tab.waitFor({ state: 'detached' });
  }

  /** Added lines of the file on the page. */
  get added(): Locator {
    return this.frame.locator('tr.added');
  }

  /** A row of the check. */
  check(name: string): Locator {
    return this.frame.locator('.check-row', { hasText: name });
  }

  passed(name: string): Locator {
    return this.frame.locator('.check-row.passed', { hasText: name });
  }
}
