import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { eventually } from '../support/editor/eventually.ts';
import { newChat } from '../support/editor/sharedEditors.ts';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('what goes with a question', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await openEditor({
      name: 'context',
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
      files: {
        '.gitignore': '*.log\n',
        '.env': 'SECRET=1\n',
        'server.log': 'started\n',
        'broken.json': '{ "a": \n',
        'lib/one.ts': 'export const one = 1;\n',
        'lib/two.ts': 'export const two = 2;\n',
        'lib/debug.log': 'noise\n',
      },
    });
    git('init', '-q');
    git('add', 'lib/one.ts');
    chat = editor.chat;
    await editor.workbench.runCommand('Model Access: Open Chat');
    await chat.waitUntilShown();
  });
  beforeEach(async () => {
    await newChat(editor);
    // A chat with nothing asked in it keeps what was attached.
    await eventually('an empty composer', async () => {
      await chat.frame.locator('.composer .chip-remove').evaluateAll((buttons) => {
        for (const button of buttons) (button as HTMLElement).click();
      });
      await chat.composer.fill('');
      return (await chat.composer.inputValue()) === '' && (await chips().count()) === 0;
    });
  });
  after(() => editor.close());

  function git(...args: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: editor.workspace });
  }

  const chips = () => chat.frame.locator('.composer').getByRole('listitem');
  const options = () => chat.frame.getByRole('listbox', { name: 'Attach' }).getByRole('option');
  const dialog = () => editor.workbench.notifications.dialog;

  async function mention(text: string): Promise<void> {
    await chat.composer.click();
    await chat.composer.pressSequentially(text);
  }

  it('is listed after an @, narrowed by what is typed, and chosen by the keyboard', async () => {
    await mention('Why is @one');
    await options().filter({ hasText: 'one.ts' }).waitFor();
    await editor.screenshot('context list');
    await chat.composer.press('Enter');
    await chips().filter({ hasText: 'one.ts' }).waitFor();
    assert.equal(await chat.composer.inputValue(), 'Why is ');
    assert.equal(await chat.turns.count(), 0);
  });

  it('is chosen with the mouse, by the paper clip too, and left with Escape', async () => {
    await chat.frame.getByRole('button', { name: 'Attach', exact: true }).click();
    await options().filter({ hasText: 'Staged Git changes' }).waitFor();
    await chat.composer.press('Escape');
    await options().first().waitFor({ state: 'detached' });
    assert.equal(await chat.composer.inputValue(), '');
    await mention('@two');
    await options().filter({ hasText: 'two.ts' }).click();
    await chips().filter({ hasText: 'two.ts' }).waitFor();
  });

  it('leaves out of the list what .gitignore names', async () => {
    await mention('@log');
    await chat.frame.getByText('Nothing matches.').waitFor();
  });

  it('takes a folder with its files as one, and says what was left out', async () => {
    await mention('@lib');
    await options().filter({ hasText: 'lib/' }).first().click();
    const chip = chips().filter({ hasText: 'lib/' });
    await chip.waitFor();
    const title = (await chip.locator('.chip').getAttribute('title')) ?? '';
    assert.match(title, /2 files/);
    assert.match(title, /debug\.log: \.gitignore leaves it out/);
    await chat.composer.fill('echo: what is in it');
    await chat.send.click();
    await chat.waitForAnswer(0);
    await chat.turns.first().getByText('lib/').waitFor();
  });

  it('asks before it takes a file that keeps keys, and names the reason', async () => {
    await editor.workbench.textEditor.open('.env');
    await editor.workbench.runCommand('Model Access: Attach Selection to Chat');
    await dialog().getByText('files of this name keep keys').waitFor();
    await editor.screenshot('context key question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await chips().count(), 0);
    await editor.workbench.runCommand('Model Access: Attach Selection to Chat');
    await dialog().getByRole('button', { name: 'Attach', exact: true }).click();
    await chips().filter({ hasText: '.env' }).waitFor();
  });

  it('takes the problems that the editor reports', async () => {
    await editor.workbench.textEditor.open('broken.json');
    await editor.workbench.page.getByRole('button', { name: /Errors?: [1-9]/ }).waitFor();
    await editor.workbench.runCommand('Model Access: Attach Problems of This File to Chat');
    await chips().filter({ hasText: 'Problems of broken.json' }).waitFor();
  });

  it('takes the changes that Git sees, staged ones apart, and says when there are none', async () => {
    await editor.workbench.runCommand('Model Access: Attach Staged Git Changes to Chat');
    await chips().filter({ hasText: 'Staged changes' }).waitFor();
    await editor.workbench.runCommand('Model Access: Attach Git Changes to Chat');
    await editor.workbench.notifications.with('Git sees no changes that are not staged.').waitFor();
  });

  it('takes what is selected in the terminal, and gives the clipboard back', async () => {
    const { page } = editor.workbench;
    await editor.workbench.runCommand('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active .xterm-screen');
    await terminal.click();
    await page.keyboard.type('echo from-the-shell');
    await page.keyboard.press('Enter');
    await page.evaluate(`navigator.clipboard.writeText('kept')`);
    await editor.workbench.runCommand('Terminal: Select All');
    await editor.workbench.runCommand('Model Access: Attach Terminal Selection to Chat');
    await chips().filter({ hasText: 'Terminal:' }).waitFor();
    await editor.workbench.waitForClipboard('kept');
    await editor.workbench.runCommand('Terminal: Kill All Terminals');
  });

  it('takes a pasted image, which is kept beside the conversation and sent as one', async () => {
    await chat.composer.click();
    await chat.composer.evaluate((field, data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, PNG);
    await chips().filter({ hasText: 'shot.png' }).waitFor();
    await chat.composer.fill('echo: what is this?');
    await chat.countedTokens();
    await editor.screenshot('context image');
    await chat.send.click();
    await chat.waitForAnswer(0);
    await chat.turns.first().getByText('shot.png').waitFor();
  });

  it('takes files that are dropped, by their addresses', async () => {
    const address = `file://${editor.workspace}/lib/one.ts`;
    await chat.frame.locator('.composer').evaluate((target, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', text);
      for (const type of ['dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }, address);
    await chips().filter({ hasText: 'one.ts' }).waitFor();
  });

  it('takes all files of the open editors', async () => {
    await editor.workbench.closeAllEditors();
    await editor.workbench.textEditor.open('one.ts');
    await editor.workbench.textEditor.open('parcel.ts');
    await editor.workbench.runCommand('Model Access: Attach Open Editors to Chat');
    await chips().filter({ hasText: 'parcel.ts' }).waitFor();
    assert.ok((await chips().count()) >= 1);
  });
});
