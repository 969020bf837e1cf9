/**
 * Measures how long an answer of 1 MB that is hard to render blocks the chat panel: the CPU time of the longest task of
 * the page from the arrival of the answer until all of it is rendered, in a browser. Answers are one text, or have very
 * many parts, which are also opened. `node bench/hostileAnswers.ts [WORDS OF A NAME]`.
 */
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';
import { answer, BASE, user } from '../test/gallery/chat/samples.ts';
import { hardMarkdown } from '../test/support/hardMarkdown.ts';
import { type LongChat, longLists } from '../test/support/longLists.ts';
import { panelOf } from './panel/subjects.ts';
import { traced } from './panel/trace.ts';

const LENGTH = 1_000_000;
/** The page counts as idle after this time without a task above 50 ms. In milliseconds. */
const QUIET_MS = 1_500;

/** Does something in the page, and resolves when the page is idle. */
const untilIdle = (action: string) => `new Promise((done) => {
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(done, ${QUIET_MS}); };
  new PerformanceObserver(wait).observe({ type: 'longtask' });
  ${action};
  wait();
})`;

const SHOW = untilIdle('window.subject.open()');

const chatWith = (text: string): LongChat => ({
  state: { ...BASE, turns: [user('q', 'Go on'), answer('a', text)] },
});

const CHATS: Readonly<Record<string, LongChat>> = {
  prose: chatWith('plain words and more '.repeat(LENGTH / 21)),
  ...Object.fromEntries(Object.entries(hardMarkdown(LENGTH)).map(([name, text]) => [name, chatWith(text)])),
  ...longLists(LENGTH),
};

const only = process.argv[2] ?? '';
const gallery = await startGallery();
const browser = await launchChromium();
try {
  const panel = panelOf(gallery.address);
  for (const [name, { state, opens }] of Object.entries(CHATS)) {
    if (!name.includes(only)) continue;
    const page = await panel.prepare(browser, state);
    const report = (longestMs: number, what: string) => console.log(`${longestMs.toFixed(0).padStart(6)} ms  ${what}`);
    report((await traced(page, () => page.evaluate(SHOW))).longestMs, name);
    if (opens !== undefined) {
      const open = untilIdle(`document.querySelector('${opens}').click()`);
      report((await traced(page, () => page.evaluate(open))).longestMs, `${name}, opened`);
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await gallery.stop();
}
