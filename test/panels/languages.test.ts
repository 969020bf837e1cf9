/** The chat panel in other languages, in every state. */
import assert from 'node:assert/strict';
import { STATES } from '../../src/panels/chat/gallery/states.ts';
import { lookAtStates } from '../support/panels/galleryPage.ts';
import { sameInBoth, shownTexts, wordsOfSources } from '../support/panels/shownTexts.ts';

const WIDTHS = [220, 280, 340, 560];
const STILL = STATES.filter(({ live }) => live !== true).map(({ name }) => name);
const LANGUAGES = ['de', 'zh-cn'];

describe('the chat panel in other languages', () => {
  for (const language of LANGUAGES) {
    it(`shows no untranslated English text in ${language} and fits into narrow and wide panels`, async () => {
      const english = await wordsOfSources(['src/panels/chat', 'src/panels/shared', 'src/display']);
      const same = await sameInBoth(language);
      await lookAtStates(STILL, {}, async (shown, state) => {
        await shown.show(state, { language });
        const left = (await shownTexts(shown.page)).filter((text) => english.has(text) && !same.has(text));
        assert.deepEqual(left, [], `${state} has English words`);
        for (const width of WIDTHS) {
          await shown.page.setViewportSize({ width, height: 640 });
          const widest = await shown.widestPart();
          assert.ok(widest <= width, `${state} is ${widest} wide in ${width}`);
        }
      });
    });
  }
});
