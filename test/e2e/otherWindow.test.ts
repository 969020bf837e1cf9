import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import type { EditorWindow } from '../support/editor/editorWindow.ts';
import { connect, disconnect, freshEditor } from '../support/editor/sharedEditors.ts';
import { type HostedService, startHostedService } from '../support/hostedService.ts';

const KEY = 'key_e2e_other_window-9d3e2846fb7b';
const BALANCE = 'modelAccess.balance';
const GATEWAY = 'modelAccess.gateway';

// One language is enough to show that the texts of the manifest and of the sources come from the language's bundles.
describe('another window, in another display language', () => {
  let service: HostedService;
  let editor: Editor;
  let window: EditorWindow;

  before(async () => {
    service = await startHostedService(KEY);
    editor = await freshEditor();
    await connect(editor, KEY, service.address);
    window = await editor.openWindow('zh-cn');
  });
  after(async () => {
    await window.close();
    await service.stop();
  });

  it('has the service key of the first one until it is removed', async () => {
    await window.workbench.waitForStatusBar(BALANCE, /\$\d/);
    await editor.page.bringToFront();
    await disconnect(editor);
    await window.page.bringToFront();
    await window.workbench.waitForStatusBar(BALANCE, '设置 Model Access');
  });

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
