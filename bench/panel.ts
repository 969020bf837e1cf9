/**
 * Measures the cost of the chat panel compared with a page that appends plain text, in the browser with tracing:
 * opening a conversation of 100,000 tokens, scrolling through it, and streaming 300 tokens per second into it while the
 * user types. `--seconds N` (60) of streaming, `--tokens N` (100000) of conversation, `--json FILE`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { launchChromium } from '../scripts/lib/chromium.ts';
import { startGallery } from '../scripts/lib/galleryServer.ts';
import { longConversation } from './panel/conversation.ts';
import { measureOpening, measureScrolling, measureStreaming } from './panel/measures.ts';
import { showOpening, showScrolling, showStreaming } from './panel/report.ts';
import { PLAIN, panelOf } from './panel/subjects.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    tokens: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});

const gallery = await startGallery();
const browser = await launchChromium();
try {
  const state = longConversation(Number(values.tokens));
  const subjects = [PLAIN, panelOf(gallery.address)];
  const opening = await measureOpening(browser, subjects, state, Number(values.rounds));
  showOpening(opening);
  const scrolling = await measureScrolling(browser, subjects, state);
  showScrolling(scrolling);
  const streaming = await measureStreaming(browser, subjects, state, Number(values.seconds));
  showStreaming(streaming);
  const figures = { tokens: Number(values.tokens), opening, scrolling, streaming };
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
} finally {
  await browser.close();
  await gallery.stop();
}
