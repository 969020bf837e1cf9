/** The measured pages: the traffic view's list, the parts of a session's context, and plain lines with as many rows. */
import type { Browser, Page } from 'playwright-core';
import { sampleContext } from '../../test/gallery/session/contextSamples.ts';
import { MANY } from '../../test/gallery/traffic/samples.ts';

const SIZE = { width: 1280, height: 800 };
const NARROW = { width: 400, height: 800 };

export interface Subject {
  readonly name: 'traffic' | 'session' | 'plain';
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

/** The page of a session with 2,000 steps, with as many parts as there are rows, which are all shown. */
export function sessionOf(galleryAddress: string): Subject {
  return {
    name: 'session',
    scroller: 'html',
    async open(browser, count) {
      const page = await browser.newPage({ viewport: NARROW });
      await page.goto(`${galleryAddress}session.html?state=context-long`);
      const { parts, ...rest } = sampleContext(2_000, Date.now());
      const many = Array.from({ length: count }, (_, nth) => ({ ...parts[nth % parts.length], file: `file-${nth}` }));
      await page.evaluate(`tell(${JSON.stringify({ type: 'context', context: { ...rest, parts: many } })})`);
      const more = page.getByRole('button', { name: /^Show \d+ more$/ }).last();
      const drawn = page.locator('.context-parts tbody tr');
      while ((await drawn.count()) < count) await more.click();
      await page.mouse.move(0, 0);
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
