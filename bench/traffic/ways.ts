/** Ways to scroll through a long list, with the browser's own input, and faster than a user would. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

export interface Way {
  readonly name: string;
  /**
   * Ends when nothing moves any more.
   * @param scroller CSS selector of the scroll container.
   */
  scroll(page: Page, scroller: string): Promise<void>;
}

const SETTLE_MS = 400;

/** Returns a way that turns the wheel repeatedly, which the browser spreads over several frames. */
function wheel(name: string, turns: number, pixels: number, everyMs: number): Way {
  return {
    name,
    async scroll(page, scroller) {
      const box = await page.locator(scroller).boundingBox();
      if (box === null) throw new Error(`${scroller} is not in sight.`);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      for (let nth = 0; nth < turns; nth += 1) {
        await page.mouse.wheel(0, pixels);
        await wait(everyMs);
      }
      await wait(SETTLE_MS);
    },
  };
}

const PAGE_DOWN: Way = {
  name: 'Page Down held',
  async scroll(page) {
    for (let nth = 0; nth < 60; nth += 1) {
      await page.keyboard.press('PageDown');
      await wait(33);
    }
    await wait(SETTLE_MS);
  },
};

/**
 * Returns a way that moves one step per frame, back and forth. As when dragging the scrollbar, a frame has no rows in
 * common with the previous one if the steps are longer than the view.
 */
function steps(name: string, frames: number, pixels: number): Way {
  return {
    name,
    async scroll(page, scroller) {
      await page.evaluate(`(${STEPS})(${JSON.stringify([scroller, frames, pixels])})`);
      await wait(SETTLE_MS);
    },
  };
}

/** Runs in the page. */
const STEPS = `async ([selector, frames, pixels]) => {
  const element = document.querySelector(selector);
  let direction = 1;
  for (let nth = 0; nth < frames; nth++) {
    const top = element.scrollTop + pixels * direction;
    if (top <= 0 || top >= element.scrollHeight - element.clientHeight) direction = -direction;
    element.scrollTop = top;
    await new Promise(requestAnimationFrame);
  }
}`;

export const WAYS: readonly Way[] = [
  wheel('wheel, 100 px a turn', 30, 100, 100),
  wheel('wheel, 300 px a turn', 40, 300, 50),
  PAGE_DOWN,
  steps('nine new rows a frame', 300, 240),
  steps('dragged scrollbar', 120, 933),
];
