/**
 * Measures how long an answer of 1 MB that is hard to render blocks the chat panel: the CPU time of the longest task of
 * the page from the arrival of the answer until all of it is rendered, in a browser. `node bench/hostileAnswers.ts
 * [WORDS OF A NAME]`.
 */
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';
import { answer, BASE, user } from '../src/panels/chat/gallery/samples.ts';
import { hardMarkdown } from '../test/support/hardMarkdown.ts';
import { panelOf } from './panel/subjects.ts';
import { traced } from './panel/trace.ts';

const LENGTH = 1_000_000;
/** The page counts as idle after this time without a task above 50 ms. In milliseconds. */
const QUIET_MS = 1_500;

/** Shows the answer, and resolves when the page is idle. */
const SHOW = `new Promise((done) => {
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(done, ${QUIET_MS}); };
  new PerformanceObserver(wait).observe({ type: 'longtask' });
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
    const { longestMs } = await traced(page, () => page.evaluate(SHOW));
    console.log(`${longestMs.toFixed(0).padStart(6)} ms  ${name}`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await gallery.stop();
}
