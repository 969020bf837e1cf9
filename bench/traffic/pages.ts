/** The two measured pages: the traffic view's list, and plain lines with as many rows. */
import type { Browser, Page } from 'playwright-core';
import { MANY } from '../../test/gallery/traffic/samples.ts';

const SIZE = { width: 1280, height: 800 };

export interface Subject {
  readonly name: 'traffic' | 'plain';
  /** CSS selector of the scroll container. */
  readonly scroller: string;
  open(browser: Browser, rows: number): Promise<Page>;
}

export function trafficOf(galleryAddress: string): Subject {
  return {
    name: 'traffic',
    scroller: '.grid-body',
    async open(browser, count) {
      const page = await browser.newPage({ viewport: SIZE });
      await page.goto(`${galleryAddress}traffic.html?state=list`);
      const list = { choice: {}, rows: MANY.slice(0, count), hasMore: false, exchanges: count, cost: 1 };
      await page.evaluate(`tell(${JSON.stringify({ type: 'list', ...list })}); tell({ type: 'live', rows: [] })`);
      await page.locator('.grid-body .line').first().waitFor();
      await page.locator('#exchanges').focus();
      // The list has rendered its rows a few seconds after it was opened; until then scrolling is more expensive.
      const drawn = page.locator('.grid-body .line');
      if (count <= 1_000) await drawn.nth(count - 1).waitFor({ state: 'attached' });
      return page;
    },
  };
}

export const PLAIN: Subject = {
  name: 'plain',
  scroller: '#list',
  async open(browser, count) {
    const page = await browser.newPage({ viewport: SIZE });
    const lines = Array.from({ length: count }, (_, nth) => `<div>exchange ${nth}</div>`).join('');
    await page.setContent(
      `<style>#list{height:700px;overflow:auto}#list div{height:28px}</style><div id="list" tabindex="0">${lines}</div>`,
    );
    await page.locator('#list').focus();
    return page;
  },
};
