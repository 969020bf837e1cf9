/** The two measured pages: the panel, and one that only appends plain text. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ChatState } from '../../src/pages/chat/protocol.ts';
import { answer, user } from '../../test/gallery/chat/samples.ts';

const SIZE = { width: 400, height: 800 };
const IN_PAGE = join(import.meta.dirname, 'inPage.js');

export interface Subject {
  readonly name: 'panel' | 'plain text';
  /** Creates an empty page that will show `state` when it is opened. */
  prepare(browser: Browser, state: ChatState): Promise<Page>;
}

export function panelOf(galleryAddress: string): Subject {
  return {
    name: 'panel',
    async prepare(browser, state) {
      const page = await newPage(browser);
      await page.goto(`${galleryAddress}?state=empty&clock=live`);
      await page.locator('.composer').waitFor();
      return withSubject(page, panelSubject(state));
    },
  };
}

export const PLAIN: Subject = {
  name: 'plain text',
  async prepare(browser, state) {
    const page = await newPage(browser);
    await page.setContent(PLAIN_PAGE);
    return withSubject(page, plainSubject(state));
  },
};

const PLAIN_PAGE = `<!doctype html><style>
  html, body { height: 100%; margin: 0; font: 13px/1.5 sans-serif }
  body { display: flex; flex-direction: column }
  #text { flex: 1; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere }
</style><div id="text"></div><textarea autofocus></textarea>`;

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZE, bypassCSP: true });
  return context.newPage();
}

async function withSubject(page: Page, subject: string): Promise<Page> {
  await page.addScriptTag({ path: IN_PAGE });
  await page.evaluate(subject);
  await page.evaluate('watchKeys(); document.querySelector("textarea").focus()');
  return page;
}

function panelSubject(state: ChatState): string {
  const messages = [
    { type: 'turnAdded', turn: user('streamed-question', 'Go on') },
    { type: 'turnAdded', turn: answer('streamed', '', { status: 'waiting' }) },
  ];
  return `{
    const state = ${JSON.stringify(state)};
    window.subject = {
      open: () => tell({ type: 'state', state }),
      begin: () => ${JSON.stringify(messages)}.forEach(tell),
      append: (text) => tell({ type: 'delta', turnId: 'streamed', text, figures: { outputTokens: 1, estimated: true } }),
      scroller: () => document.querySelector('.thread'),
    };
  }`;
}

function plainSubject(state: ChatState): string {
  const texts = state.turns.map((turn) => (turn.role === 'comparison' ? '' : turn.text));
  return `{
    const texts = ${JSON.stringify(texts)};
    const scroller = document.getElementById('text');
    const toEnd = () => { scroller.scrollTop = scroller.scrollHeight };
    let waiting = '';
    window.subject = {
      open() {
        for (const text of texts) scroller.append(Object.assign(document.createElement('p'), { textContent: text }));
        toEnd();
      },
      begin: () => scroller.append(document.createElement('p')),
      append(text) {
        if (waiting === '') requestAnimationFrame(() => { scroller.lastChild.append(waiting); waiting = ''; toEnd() });
        waiting += text;
      },
      scroller: () => scroller,
    };
  }`;
}
