/** The interface in other languages: whole, in the editor and in every state of the panel. */
import assert from 'node:assert/strict';
import { STATES } from '../../src/panels/chat/gallery/states.ts';
import type { EditorWindow } from '../support/editor/editorWindow.ts';
import { lookAtStates } from '../support/editor/galleryPage.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';
import { sameInBoth, shownTexts, wordsOfSources } from '../support/editor/shownTexts.ts';

const BALANCE = 'modelAccess.balance';
const GATEWAY = 'modelAccess.gateway';
const WIDTHS = [220, 280, 340, 560];
const STILL = STATES.filter(({ live }) => live !== true).map(({ name }) => name);

const LANGUAGES = ['de', 'zh-cn'];

// One of them shows that the editor's words and those of the extension come from where the language says.
describe('the editor in another language', () => {
  let window: EditorWindow;

  before(async () => {
    window = await (await freshEditor()).openWindow('zh-cn');
  });
  after(() => window.close());

  it('has its words in the status bar, the panel, the palette and messages', async () => {
    const { workbench, chat } = window;
    await workbench.waitForStatusBar(BALANCE, '设置 Model Access');
    await workbench.waitForStatusBar(GATEWAY, '关闭');
    await workbench.runCommand('Model Access: Open Chat');
    await chat.frame.getByRole('heading', { name: '发送前先看价格' }).waitFor();
    assert.equal(await workbench.offersCommand('Model Access: 试用沙盒'), true);
    await workbench.pickCommand('Model Access: 显示余额');
    await workbench.notifications.with('此操作需要服务密钥。').waitFor();
  });
});

describe('the chat panel in other languages', () => {
  for (const language of LANGUAGES) {
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
