/** Every state of each panel: its colors, its texts, and the room that they take. Each is shown once in English and in German. */
import assert from 'node:assert/strict';
import type { ViewportSize } from 'playwright-core';
import { STATES as REVIEW_STATES } from '../gallery/agentReview/states.ts';
import { STATES as CHAT_STATES } from '../gallery/chat/states.ts';
import { STATES as CONFIGURE_STATES } from '../gallery/configureAgent/states.ts';
import { STATES as CONNECT_STATES } from '../gallery/connectTool/states.ts';
import { STATES as KEY_STATES } from '../gallery/localKey/states.ts';
import { STATES as ROUTES_STATES } from '../gallery/routes/states.ts';
import { STATES as SESSION_STATES } from '../gallery/session/states.ts';
import { STATES as TRAFFIC_STATES } from '../gallery/traffic/states.ts';
import { STATES as USAGE_STATES } from '../gallery/usage/states.ts';
import { type PanelName, SIDE_BAR } from '../support/panels/galleryPage.ts';
import { type Look, lookAtStates } from '../support/panels/lookAtStates.ts';
import { breaksNoRow, fits, isAccessible, isTranslated, keepsRows, MARKED } from '../support/panels/looks.ts';

interface Panel {
  readonly panel: PanelName;
  readonly states: readonly { readonly name: string; readonly live?: unknown }[];
  /** States that together contain all colors of text on all colors of backgrounds, in each theme and size of text. */
  readonly colored: readonly string[];
  readonly size?: ViewportSize;
  readonly fitting?: Look;
  /** What is looked at in English only. */
  readonly inEnglish?: Readonly<Record<string, Look>>;
}

/** Boxes of the chat panel that must not be wider than it. */
const BOXES = '.panel, .thread, .composer, .popover, .welcome, .history-page';
const CHAT_FITS = fits({ widths: [220, 280, 340, 560], boxes: BOXES });
const TAB_FITS = fits({ widths: [340, 560, 900, 1280], boxes: '#root', drawsAgain: true });
const TAB: ViewportSize = { width: 1280, height: 800 };
/** Only shown in narrow panels. */
const NARROW = 'more';

const CHAT: Panel = {
  panel: 'chat',
  states: CHAT_STATES.filter(({ live }) => live !== true),
  colored: [
    'first-run',
    'conversation',
    'waiting',
    'no-images',
    'over-balance',
    'near-balance',
    'over-window',
    'models',
    'models-stale',
    'context',
    'history',
    'history-found',
    'undo',
    'page',
    'agent-limits',
  ],
  size: SIDE_BAR,
  fitting: CHAT_FITS,
  inEnglish: { widths: CHAT_FITS, largeText: fits({ widths: [340, 560], boxes: BOXES, fontSize: 26 }) },
};

const PANELS: readonly Panel[] = [
  CHAT,
  { panel: 'session', states: SESSION_STATES, colored: ['waiting', 'failed'] },
  {
    panel: 'traffic',
    states: TRAFFIC_STATES.filter(({ name }) => name !== 'many'),
    colored: ['why', 'miss', 'request', 'events', 'empty', 'problem'],
  },
  { panel: 'usage', states: USAGE_STATES, colored: ['sessions-failed', 'team', 'dates'] },
  { panel: 'localKey', states: KEY_STATES, colored: ['empty', 'wrong', 'created'] },
  { panel: 'routes', states: ROUTES_STATES, colored: ['meanwhile', 'unreadable'] },
  { panel: 'configureAgent', states: CONFIGURE_STATES, colored: ['full', 'untrusted'] },
  { panel: 'connectTool', states: CONNECT_STATES, colored: ['new', 'both', 'unreadable'] },
  { panel: 'agentReview', states: REVIEW_STATES, colored: ['changes', 'edited'] },
];

for (const { panel, states, colored, size = TAB, fitting = TAB_FITS, inEnglish = {} } of PANELS) {
  describe(`the panel ${panel} in every state`, () => {
    let english: Readonly<Record<string, readonly string[]>>;
    let german: typeof english;

    // An error in a page, such as one of the content security policy, fails this hook.
    before(async function () {
      // Does the work of several tests.
      this.timeout(4 * this.timeout());
      const names = states.map(({ name }) => name);
      const rows = new Map();
      const sizeOf = (state: string) => (panel === 'chat' && state === NARROW ? { ...size, width: 280 } : size);
      english = await lookAtStates(
        { panel, states: names, page: { viewport: size } },
        { ...inEnglish, rows: keepsRows(rows), accessibility: isAccessible(sizeOf, colored) },
      );
      german = await lookAtStates(
        { panel, states: names, language: MARKED, page: { viewport: size } },
        {
          // Each text exists in every language: see `npm run check:strings`. German takes the most room.
          texts: await isTranslated([`src/panels/${panel}`, 'src/panels/shared', 'src/display']),
          widths: fitting,
          rows: breaksNoRow(rows),
        },
      );
    });

    it('has no accessibility violations and enough contrast in each theme', () =>
      assert.deepEqual(english.accessibility, []));

    it('shows no untranslated text', () => assert.deepEqual(german.texts, []));

    it('fits into narrow and wide panels in German', () => assert.deepEqual(german.widths, []));

    // Its lists have names of files and tools, which break where their room ends: further left in German.
    if (panel !== 'configureAgent') {
      it('breaks no row in two in German that English does not, in a side bar', () =>
        assert.deepEqual(german.rows, []));
    }

    for (const name of Object.keys(inEnglish)) {
      it(`fits in English: ${name}`, () => assert.deepEqual(english[name], []));
    }
  });
}

describe('the chat in every state that differs in a wide panel', () => {
  it('has no accessibility violations', async () => {
    const wide = { width: 560, height: 640 };
    const { accessibility } = await lookAtStates(
      { panel: 'chat', states: ['conversation', 'markdown', 'models', 'breakdown'], page: { viewport: wide } },
      { accessibility: isAccessible(() => wide, []) },
    );
    assert.deepEqual(accessibility, []);
  });
});
