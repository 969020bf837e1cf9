/** The interface in other languages: whole, in the editor and in every state of the panel. */
import assert from 'node:assert/strict';
import { STATES } from '../../src/panels/chat/gallery/states.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { lookAtStates } from '../support/editor/galleryPage.ts';
import { sameInBoth, shownTexts, wordsOfSources } from '../support/editor/shownTexts.ts';

const BALANCE = 'modelAccess.balance';
const GATEWAY = 'modelAccess.gateway';
const WIDTHS = [220, 280, 340, 560];
const STILL = STATES.filter(({ live }) => live !== true).map(({ name }) => name);

const LANGUAGES = [
  {
    language: 'de',
    balance: 'Model Access einrichten',
    gateway: 'Aus',
    command: 'Model Access: Sandbox ausprobieren',
    heading: 'Den Preis vor dem Senden kennen',
    refused: 'Dafür ist ein Dienstschlüssel nötig.',
    showBalance: 'Model Access: Guthaben anzeigen',
  },
  {
    language: 'zh-cn',
    balance: '设置 Model Access',
    gateway: '关闭',
    command: 'Model Access: 试用沙盒',
    heading: '发送前先看价格',
    refused: '此操作需要服务密钥。',
    showBalance: 'Model Access: 显示余额',
  },
] as const;

for (const { language, ...words } of LANGUAGES) {
  describe(`the editor in the language ${language}`, () => {
    let editor: Editor;

    before(async () => {
      editor = await openEditor({ name: `language ${language}`, language });
    });
    after(() => editor.close());

    it('has its words in the status bar, the panel, the palette and messages', async () => {
      const { workbench, chat } = editor;
      await workbench.waitForStatusBar(BALANCE, words.balance);
      await workbench.waitForStatusBar(GATEWAY, words.gateway);
      await chat.frame.getByRole('heading', { name: words.heading }).waitFor();
      assert.equal(await workbench.offersCommand(words.command), true);
      await workbench.runCommand(words.showBalance);
      await workbench.notifications.with(words.refused).waitFor();
      await editor.screenshot(`language ${language}`);
    });
  });
}

describe('the chat panel in other languages', () => {
  for (const { language } of LANGUAGES) {
    it(`shows no English words of its own in ${language}, and fits into narrow and wide panels`, async () => {
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
