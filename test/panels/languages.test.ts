/** The chat panel in another language, in every state. */
import assert from 'node:assert/strict';
import { STATES } from '../gallery/chat/states.ts';
import { lookAtStates } from '../support/panels/lookAtStates.ts';
import { CHAT_BOXES, fits, isTranslated, MARKED } from '../support/panels/looks.ts';

const WIDTHS = [220, 280, 340, 560];
const STILL = STATES.filter(({ live }) => live !== true).map(({ name }) => name);

describe('the chat panel in another language', () => {
  // Each text exists in every language: see `npm run check:strings`. German takes the most room.
  it('shows no untranslated text and fits into narrow and wide panels', async () => {
    const { english, widths } = await lookAtStates(
      { panel: 'chat', states: STILL, language: MARKED },
      {
        english: await isTranslated(['src/panels/chat', 'src/panels/shared', 'src/display']),
        widths: fits({ widths: WIDTHS, boxes: CHAT_BOXES }),
      },
    );
    assert.deepEqual({ english, widths }, { english: [], widths: [] });
  });
});
