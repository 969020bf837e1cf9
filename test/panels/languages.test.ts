/** The chat panel in other languages, in every state. */
import assert from 'node:assert/strict';
import { STATES } from '../../src/panels/chat/gallery/states.ts';
import { lookAtStates } from '../support/panels/lookAtStates.ts';
import { CHAT_BOXES, fits, isTranslated } from '../support/panels/looks.ts';

const WIDTHS = [220, 280, 340, 560];
const STILL = STATES.filter(({ live }) => live !== true).map(({ name }) => name);
const LANGUAGES = ['de', 'zh-cn'];

describe('the chat panel in other languages', () => {
  for (const language of LANGUAGES) {
    it(`shows no untranslated English text in ${language} and fits into narrow and wide panels`, async () => {
      const { english, widths } = await lookAtStates(
        { panel: 'chat', states: STILL, language },
        {
          english: await isTranslated(language, ['src/panels/chat', 'src/panels/shared', 'src/display']),
          widths: fits({ widths: WIDTHS, boxes: CHAT_BOXES }),
        },
      );
      assert.deepEqual({ english, widths }, { english: [], widths: [] });
    });
  }
});
