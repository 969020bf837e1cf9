/**
 * What scrolling through the traffic view costs beside a page of plain lines: 5,000 exchanges, a screenful in every few
 * frames. A frame that comes more than half a frame late counts as dropped. `--frames N` (300), `--rounds N`.
 */
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';

const { values } = parseArgs({
  options: { frames: { type: 'string', default: '300' }, rounds: { type: 'string', default: '3' } },
});

const PLAIN_LINES = 5_000;
const STEP_PIXELS = 240;
/** One and a half of the time between two frames of a usual screen. */
const LATE_MS = (1000 / 60) * 1.5;

/** CPU of the page's main thread as the browser tells it, in seconds: all of it, and the parts of it. */
const METRICS = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;
type Work = Readonly<Record<(typeof METRICS)[number], number>>;

interface Scrolling {
  readonly dropped: number;
  readonly longestMs: number;
  readonly work: Work;
}

/** Runs in the page: scrolls the element back and forth, one step a frame. @returns milliseconds between frames. */
const SCROLL = `async ([selector, frames, step]) => {
  const element = document.querySelector(selector);
  const gaps = [];
  let direction = 1;
  let before = await new Promise(requestAnimationFrame);
  for (let nth = 0; nth < frames; nth++) {
    const top = element.scrollTop + step * direction;
    if (top <= 0 || top >= element.scrollHeight - element.clientHeight) direction = -direction;
    element.scrollTop = top;
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - before);
    before = now;
  }
  return gaps;
}`;

async function scroll(page: Page, selector: string): Promise<Scrolling> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await worked();
  const argument = JSON.stringify([selector, Number(values.frames), STEP_PIXELS]);
  const gaps = (await page.evaluate(`(${SCROLL})(${argument})`)) as number[];
  const after = await worked();
  const work = Object.fromEntries(METRICS.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
  return { dropped: gaps.filter((gap) => gap > LATE_MS).length, longestMs: Math.max(...gaps), work: work as Work };
}

async function plainPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const lines = Array.from({ length: PLAIN_LINES }, (_, nth) => `<div>exchange ${nth}</div>`).join('');
  await page.setContent(
    `<style>#list{height:760px;overflow:auto}#list div{height:28px}</style><div id="list">${lines}</div>`,
  );
  return page;
}

async function trafficPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${address}traffic.html?state=many`);
  await page.locator('.grid-body .line').first().waitFor();
  return page;
}

const gallery = await startGallery();
const browser = await launchChromium();
try {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const plain = await scroll(await plainPage(browser), '#list');
    const traffic = await scroll(await trafficPage(browser, gallery.address), '.grid-body');
    const frames = Number(values.frames);
    console.log(`Of ${frames} frames dropped: traffic ${traffic.dropped}, plain ${plain.dropped}.`);
    for (const [name, { longestMs, work }] of Object.entries({ traffic, plain })) {
      const parts = METRICS.map((metric) => `${metric} ${((work[metric] * 1000) / frames).toFixed(2)}`);
      console.log(`  ${name.padEnd(8)}longest ${longestMs.toFixed(0)} ms; a frame in ms: ${parts.join(', ')}`);
    }
  }
} finally {
  await browser.close();
  await gallery.stop();
}
