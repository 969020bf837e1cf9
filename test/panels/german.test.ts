/**
 * The chat panel and the pages with forms in German, at the width that the editor gives a side bar, compared with English.
 */
import assert from 'node:assert/strict';
import { STATES as REVIEW_STATES } from '../gallery/agentReview/states.ts';
import { STATES as CHAT_STATES } from '../gallery/chat/states.ts';
import { STATES as CONNECT_STATES } from '../gallery/connectTool/states.ts';
import { STATES as KEY_STATES } from '../gallery/localKey/states.ts';
import { STATES as ROUTES_STATES } from '../gallery/routes/states.ts';
import { STATES as SESSION_STATES } from '../gallery/session/states.ts';
import { STATES as TRAFFIC_STATES } from '../gallery/traffic/states.ts';
import { STATES as USAGE_STATES } from '../gallery/usage/states.ts';
import { brokenRows, rowsOf } from '../support/panels/brokenRows.ts';
import { GalleryPage, type PanelName } from '../support/panels/galleryPage.ts';

const SIZE = { width: 285, height: 900 };
const PANELS: readonly (readonly [PanelName, readonly { readonly name: string; readonly live?: unknown }[]])[] = [
  ['agentReview', REVIEW_STATES],
  ['chat', CHAT_STATES],
  ['connectTool', CONNECT_STATES],
  ['localKey', KEY_STATES],
  ['routes', ROUTES_STATES],
  ['session', SESSION_STATES],
  ['traffic', TRAFFIC_STATES],
  ['usage', USAGE_STATES],
];

describe('the panels in German at 285 pixels', () => {
  for (const [panel, all] of PANELS) {
    it(`break no row in two that English does not: ${panel}`, async () => {
      const states = all.filter(({ name, live }) => live !== true && name !== 'many');
      const [english, german] = [
        await GalleryPage.open({ viewport: SIZE }),
        await GalleryPage.open({ viewport: SIZE }),
      ];
      const broken: string[] = [];
      try {
        for (const { name } of states) {
          await Promise.all([english.show(name, { panel }), german.show(name, { panel, language: 'de' })]);
          const found = brokenRows(await rowsOf(english.page), await rowsOf(german.page));
          broken.push(...found.map((row) => `${name}: ${row}`));
        }
      } finally {
        await Promise.all([english.close(), german.close()]);
      }
      assert.deepEqual(broken, []);
    });
  }
});
