import assert from 'node:assert/strict';
import type { EditorWindow } from '../support/editor/editorWindow.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';

const BALANCE = 'modelAccess.balance';
const GATEWAY = 'modelAccess.gateway';

// One language is enough to show that the texts of the manifest and of the sources come from the language's bundles.
describe('the extension in another display language', () => {
  let window: EditorWindow;

  before(async () => {
    window = await (await freshEditor()).openWindow('zh-cn');
  });
  after(() => window.close());

  it('shows translated text in the status bar, the panel, the Command Palette, and messages', async () => {
    const { workbench, chat } = window;
    await workbench.waitForStatusBar(BALANCE, '设置 Model Access');
    await workbench.waitForStatusBar(GATEWAY, '关闭');
    await workbench.runCommand('Model Access: Open Chat');
    await chat.frame.getByRole('heading', { name: '发送前先看价格' }).waitFor();
    assert.equal(await workbench.offersCommand('Model Access: 试用沙盒'), true);
    await workbench.pickCommand('Model Access: 显示余额');
    await workbench.notifications.waitFor('此操作需要服务密钥。');
  });
});
