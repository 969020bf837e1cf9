/**
 * Measures how long an answer of 1 MB that is hard to render blocks the chat panel: the longest task of the page from
 * the arrival of the answer until all of it is rendered, in a browser. `node bench/hostileAnswers.ts [WORDS OF A
 * NAME]`.
 */
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';
import { answer, BASE, user } from '../src/panels/chat/gallery/samples.ts';
import { hardMarkdown } from '../test/support/hardMarkdown.ts';
import { panelOf } from './panel/subjects.ts';

const LENGTH = 1_000_000;
/** The page counts as idle after this time without a task above 50 ms. In milliseconds. */
const QUIET_MS = 1_500;

/** @returns the longest task in milliseconds; 0 if none took 50 ms, the minimum that the browser reports. */
const MEASURE = `new Promise((done) => {
  let longest = 0;
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => done(longest), ${QUIET_MS}); };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    wait();
  }).observe({ type: 'longtask' });
  window.subject.open();
  wait();
})`;

const only = process.argv[2] ?? '';
const gallery = await startGallery();
const browser = await launchChromium();
try {
  const panel = panelOf(gallery.address);
  for (const [name, text] of Object.entries({
    prose: 'plain words and more '.repeat(LENGTH / 21),
    ...hardMarkdown(LENGTH),
  })) {
    if (!name.includes(only)) continue;
    const page = await panel.prepare(browser, { ...BASE, turns: [user('q', 'Go on'), answer('a', text)] });
    const longest = await page.evaluate<number>(MEASURE);
    console.log(`${longest.toFixed(0).padStart(6)} ms  ${name}`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await gallery.stop();
}
