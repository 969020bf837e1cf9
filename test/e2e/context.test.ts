import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chooseForAnswer } from '../support/actionMenu.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('attaching context to a question', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
    await editor.addFiles({
      '.gitignore': '*.log\n',
      '.env': 'SECRET=1\n',
      'server.log': 'started\n',
      'broken.json': '{ "a": \n',
      'lib/one.ts': 'export const one = 1;\n',
      'lib/two.ts': 'export const two = 2;\n',
      'lib/debug.log': 'noise\n',
      ...Object.fromEntries(Array.from({ length: 24 }, (_, place) => [`many/part${place}.txt`, `part ${place}\n`])),
      'record/numbers.txt': Array.from({ length: 30_000 }, (_, line) => `line ${line} of the record\n`).join(''),
    });
    await editor.stageInGit('lib/one.ts');
    chat = editor.chat;
    await editor.workbench.runCommand('Model Access: Open Chat');
    await chat.waitUntilShown();
  });
  beforeEach(() => newChat(editor));
  after(async () => {
    await editor.workbench.closeAllEditors();
    await editor.removeFiles('.gitignore', '.env', 'server.log', 'broken.json', 'lib', 'many', 'record', '.git');
  });

  const chips = () => chat.frame.locator('.composer').getByRole('listitem');
  const options = () => chat.frame.getByRole('listbox', { name: 'Attach' }).getByRole('option');
  const preview = (place: Locator) => place.getByRole('img', { name: 'Preview of shot.png' });
  const dialog = () => editor.workbench.notifications.dialog;

  /** Returns the number of images that are stored with conversations. */
  async function keptImages(): Promise<number> {
    const names = await readdir(join(editor.storage, 'conversations'), { recursive: true });
    return names.filter((name) => /\.images\/.*\.png$/.test(name)).length;
  }

  /** Returns the records of the chat with this test's file. */
  async function storedConversations(): Promise<string> {
    const folder = join(editor.storage, 'conversations');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.filter((text) => text.includes('export const two')).join('');
  }

  /** Writes a text into the composer and types only its last letter, because each letter costs as much as the text. */
  async function mention(text: string): Promise<void> {
    await chat.composer.fill(text.slice(0, -1));
    await chat.composer.pressSequentially(text.slice(-1));
  }

  it('lists items after @, filters them while typing, and attaches one with the keyboard', async () => {
    await chat.composer.pressSequentially('Why is @one');
    await options().filter({ hasText: 'one.ts' }).waitFor();
    await editor.screenshot('context list');
    await chat.composer.press('Enter');
    await chips().filter({ hasText: 'one.ts' }).waitFor();
    await eventuallyEqual(() => chat.composer.inputValue(), 'Why is ');
    await eventuallyEqual(() => chat.turns.count(), 0);
  });

  it('uses the current or the earlier text of a file when its question is edited', async () => {
    await mention('@lib/two');
    await options().filter({ hasText: 'two.ts' }).waitFor();
    await chat.composer.press('Enter');
    await chips().filter({ hasText: 'two.ts' }).waitFor();
    await chat.ask('What is it?');
    await chat.waitForAnswer(0);
    await editor.addFiles({ 'lib/two.ts': 'export const two = 22;\n' });
    await chat.composer.press('ArrowUp');
    const edited = chat.frame.getByRole('form', { name: 'Edit question' });
    const chip = edited.getByRole('listitem').filter({ hasText: 'two.ts' });
    await chip.getByRole('button', { name: 'Use Attached Text of two.ts' }).click();
    await chip.getByRole('button', { name: 'Use Current Text of two.ts' }).click();
    await chip.getByRole('button', { name: 'Use Attached Text of two.ts' }).waitFor();
    await edited.getByRole('textbox').press('Enter');
    await chat.turns.first().getByText('2 / 2').waitFor();
    await chat.waitForAnswer(0);
    // The chat's file is a moment behind what is shown.
    await eventually('both texts in the chat’s file', async () => {
      const texts = (await storedConversations()).match(/export const two = \d+;/g);
      return texts?.join() === 'export const two = 2;,export const two = 22;';
    });
  });

  it('attaches with the mouse, opens the list with the Attach button, and closes it with Escape', async () => {
    await chat.frame.getByRole('button', { name: 'Attach', exact: true }).click();
    await options().filter({ hasText: 'Staged Git changes' }).waitFor();
    await chat.composer.press('Escape');
    await options().first().waitFor({ state: 'detached' });
    await eventuallyEqual(() => chat.composer.inputValue(), '');
    await mention('@two');
    await options().filter({ hasText: 'two.ts' }).click();
    await chips().filter({ hasText: 'two.ts' }).waitFor();
  });

  it('omits files matched by .gitignore from the list', async () => {
    await mention('@log');
    await chat.frame.getByText('No matches.').waitFor();
  });

  it('attaches a folder with its files as one item and reports omitted files', async () => {
    await mention('@lib');
    await options().filter({ hasText: 'lib/' }).first().click();
    const chip = chips().filter({ hasText: 'lib/' });
    await chip.waitFor();
    const title = chip.locator('.chip[title*="2 files"][title*="debug.log: .gitignore excludes it"]');
    await title.waitFor();
    await chat.composer.fill('echo: what is in it');
    await chat.send.click();
    await chat.waitForAnswer(0);
    await chat.turns.first().getByText('lib/').waitFor();
  });

  it('shows token counts in the list and attaches the current file with Tab', async () => {
    await editor.workbench.textEditor.open('lib/one.ts');
    await mention('@');
    await chat.frame
      .getByRole('group', { name: 'Current file' })
      .getByRole('option', { name: /^one\.ts lib \d+ tokens$/ })
      .waitFor();
    await chat.frame.getByText(/^Attach one\.ts: \d+ tokens, /).waitFor();
    await chat.composer.press('Tab');
    await chips().filter({ hasText: 'one.ts' }).waitFor();
    await eventuallyEqual(() => chat.composer.inputValue(), '');
    await mention('@lib');
    await options().filter({ hasText: 'lib/' }).filter({ hasText: '2 files' }).filter({ hasText: 'tokens' }).waitFor();
    await chat.composer.press('Escape');
    await eventuallyEqual(() => chat.composer.inputValue(), '@lib');
  });

  it('asks which files of a large folder to attach', async () => {
    await mention('@many/');
    await options().filter({ hasText: '24 files' }).first().waitFor();
    await chat.composer.press('Enter');
    const { quickInput } = editor.workbench;
    for (const name of ['part7.txt', 'part9.txt']) {
      await quickInput.input.fill(name);
      await quickInput.row(name).click();
    }
    await quickInput.input.fill('');
    await editor.screenshot('context large folder');
    await quickInput.input.press('Enter');
    const chip = chips().filter({ hasText: 'many/' });
    await chip.locator('.chip[title*="2 files"]').waitFor();
  });

  it('asks before attaching a file that usually contains keys, and gives the reason', async () => {
    await editor.workbench.textEditor.open('.env');
    await editor.workbench.runCommand('Model Access: Attach Selection to Chat');
    await dialog().getByText('files with this name usually contain keys').waitFor();
    await editor.screenshot('context key question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await eventuallyEqual(() => chips().count(), 0);
    await editor.workbench.runCommand('Model Access: Attach Selection to Chat');
    await dialog().getByRole('button', { name: 'Attach', exact: true }).click();
    await chips().filter({ hasText: '.env' }).waitFor();
  });

  it('attaches the problems that the editor reports', async () => {
    await editor.workbench.textEditor.open('broken.json');
    await editor.workbench.page.getByRole('button', { name: /Errors?: [1-9]/ }).waitFor();
    await editor.workbench.runCommand('Model Access: Attach Problems in This File to Chat');
    await chips().filter({ hasText: 'Problems in broken.json' }).waitFor();
  });

  it('attaches staged changes, and separately unstaged ones with the files that Git does not have yet', async () => {
    await editor.workbench.runCommand('Model Access: Attach Staged Git Changes to Model Access Chat');
    await chips().filter({ hasText: 'Staged changes' }).waitFor();
    await editor.workbench.runCommand('Model Access: Attach Git Changes to Model Access Chat');
    await chips()
      .filter({ hasText: /^Changes/ })
      .waitFor();
  });

  it('attaches the terminal selection and restores the clipboard', async () => {
    const { page } = editor.workbench;
    await editor.workbench.runCommand('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active .xterm-screen');
    await terminal.click();
    await page.keyboard.type('echo from-the-shell');
    await page.keyboard.press('Enter');
    // Output of a program clears the selection.
    await page.locator('.terminal-command-decoration.codicon-terminal-decoration-success').waitFor();
    await editor.workbench.writeClipboard('kept');
    await editor.workbench.runCommand('Terminal: Select All');
    await editor.workbench.runCommand('Model Access: Attach Selection to Model Access Chat');
    await chips().filter({ hasText: 'Terminal:' }).waitFor();
    await editor.workbench.waitForClipboard('kept');
    await editor.workbench.runCommand('Terminal: Kill All Terminals');
  });

  it('attaches a pasted image, stores it with the chat, and sends it as an image', async () => {
    await chat.pasteImage('shot.png', PNG);
    await preview(chips()).waitFor();
    await chat.composer.fill('echo: what is this?');
    await chat.countedTokens();
    await editor.screenshot('context image');
    await chat.send.click();
    await chat.waitForAnswer(0);
    await chat.turns.first().getByText('shot.png').waitFor();
    await preview(chat.turns.first()).waitFor();
  });

  it('keeps an image in a fork and in an exported and re-imported chat', async () => {
    await chat.pasteImage('shot.png', PNG);
    await preview(chips()).waitFor();
    await chat.askAndWait('echo: with a picture');
    const answer = chat.answers.first();
    await answer.hover();
    await chooseForAnswer(answer, 'Fork into a new chat');
    await eventually('the image in the folder of the fork', async () => (await keptImages()) >= 2);
    await preview(chat.turns.first()).waitFor();

    const path = join(editor.workspace, 'with-picture.json');
    const { quickInput } = editor.workbench;
    await quickInput.enterPath(() => editor.workbench.runCommand('Model Access: Export Chat…'), path);
    const { images } = JSON.parse(await writtenText(path, '}\n')) as { images: object };
    assert.deepEqual(Object.values(images), [PNG]);
    await newChat(editor);
    await quickInput.enterPath(() => editor.workbench.runCommand('Model Access: Import Chats…'), path);
    await chat.turns.first().getByText('with a picture').waitFor();
    await preview(chat.turns.first()).waitFor();
  });

  it('includes the workspace’s AGENTS.md with its tokens until it is removed from the chat', async () => {
    const chip = chips().filter({ hasText: 'AGENTS.md' });
    await editor.addFiles({ 'AGENTS.md': 'Answer in one sentence.\n' });
    try {
      await chip.filter({ hasText: /AGENTS\.md\d+/ }).waitFor();
      await chip.getByRole('button', { name: /^AGENTS\.md, \d+ tokens$/ }).click();
      await chat.frame.getByRole('button', { name: 'Open', exact: true }).click();
      await editor.page.getByRole('tab', { name: /AGENTS\.md/ }).waitFor();
      await chip.getByRole('button', { name: 'Remove AGENTS.md from this chat' }).click();
      await chip.waitFor({ state: 'detached' });
      await mention('@agents');
      await options().filter({ hasText: 'Workspace instructions' }).click();
      await chip.waitFor();
    } finally {
      await editor.removeFiles('AGENTS.md');
    }
    await chip.waitFor({ state: 'detached' });
  });

  it('attaches the text of a URL after confirmation and reports why it cannot be read', async () => {
    const page =
      '<html><body><nav>Home</nav><main><h1>Delivery rates</h1><p>Zone 1 costs 3.50.</p></main></body></html>';
    const site = createServer((request, response) => {
      if (request.url === '/rates') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    try {
      await mention(`Do the rates match @http://${host}/gone`);
      await options()
        .filter({ hasText: `${host}/gone` })
        .click();
      await dialog().getByText('in your local network').waitFor();
      await dialog().getByRole('button', { name: 'Read Page' }).click();
      await editor.workbench.notifications.waitFor(`${host} returned 404 Not Found.`);
      await editor.workbench.clearNotifications();
      await eventuallyEqual(() => chat.composer.inputValue(), `Do the rates match @http://${host}/gone`);
      await chat.composer.fill('');
      await mention(`@http://${host}/rates`);
      await chat.composer.press('Enter');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await eventuallyEqual(() => chips().count(), 0);
      await eventuallyEqual(() => chat.composer.inputValue(), `@http://${host}/rates`);
      await chat.composer.fill('');
      await mention(`@http://${host}/rates`);
      await chat.composer.press('Enter');
      await dialog().getByRole('button', { name: 'Read Page' }).click();
      await chips()
        .filter({ hasText: `${host}/rates` })
        .waitFor();
      const card = chat.frame.getByText('“Delivery rates Zone 1 costs 3.50.”');
      await card.waitFor();
      await eventuallyEqual(() => chat.composer.inputValue(), '');
      await chat.composer.and(chat.frame.locator(':focus')).waitFor();
      await editor.page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
      await editor.screenshot('context address');
      await chat.composer.fill('echo: what costs zone 1');
      await chat.send.click();
      await chat.waitForAnswer(0);
      const files = () => editor.profileFilesWith('Delivery rates');
      await eventually('the page in the chat’s file', async () => (await files()).length > 0);
      for (const file of await files()) assert.doesNotMatch(await readFile(file, 'utf8'), /Home|<p>/);
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });

  it('suggests what to trim if a request does not fit, and can undo the trimming', async () => {
    await chat.chooseModel('familya-sonnet-4.6');
    await mention('@numbers');
    await options().filter({ hasText: 'numbers.txt' }).first().waitFor();
    await chat.composer.press('Enter');
    const chip = chips().filter({ hasText: 'numbers.txt' });
    await chip.waitFor();
    await chat.composer.fill('What is in it?');
    const note = chat.frame.getByRole('heading', { name: /tokens over the context window$/ });
    await note.waitFor();
    await chat.frame.getByText(/^The largest part is numbers\.txt, at \d+k\.$/).waitFor();
    await editor.screenshot('context trim');
    await chat.frame.getByRole('button', { name: 'Trim numbers.txt' }).click();
    await note.waitFor({ state: 'detached' });
    await chip.locator('.chip[title*="Trimmed from "]').waitFor();
    await chat.send.and(chat.frame.locator('[aria-disabled="false"]')).waitFor();
    await chat.frame.getByRole('button', { name: 'Undo' }).click();
    await note.waitFor();
  });

  it('attaches a file dragged from the Explorer with Shift held', async () => {
    const { workbench, page } = editor;
    await workbench.runCommand('View: Show Explorer');
    // The Explorer reveals and selects the open file.
    await workbench.textEditor.open('tsconfig.json');
    const row = page.locator('.explorer-folders-view .monaco-list-row.selected', { hasText: 'tsconfig.json' });
    await dragOntoPanel(await middleOf(row), await middleOf(chat.emptyHeading));
    await chips().filter({ hasText: 'tsconfig.json' }).waitFor();
    await eventuallyEqual(() => chips().count(), 1);
  });

  interface Point {
    readonly x: number;
    readonly y: number;
  }

  /** Returns the position in pixels of the window. */
  async function middleOf(element: Locator): Promise<Point> {
    const box = await element.boundingBox();
    assert.ok(box !== null);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Drags with the mouse. Shift is pressed during the movement, because at the start it would select. */
  async function dragOntoPanel(from: Point, to: Point): Promise<void> {
    const { mouse, keyboard } = editor.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 20, from.y + 5, { steps: 4 });
    await mouse.move((from.x + to.x) / 2, to.y, { steps: 8 });
    await keyboard.down('Shift');
    try {
      await eventually('a panel that takes what hangs over it', async () => {
        await mouse.move(to.x, to.y, { steps: 4 });
        await mouse.move(to.x + 5, to.y + 5, { steps: 2 });
        return chat.frame.locator('.composer.dropping').isVisible();
      });
    } finally {
      await mouse.up();
      await keyboard.up('Shift');
    }
  }

  it('attaches several files and folders dropped together from the Explorer', async () => {
    const names = ['lib/one.ts', 'lib/two.ts', 'src'];
    await drop(
      'application/vnd.code.uri-list',
      names.map((name) => `file://${editor.workspace}/${name}`),
    );
    for (const name of ['one.ts', 'two.ts', 'src/']) await chips().filter({ hasText: name }).waitFor();
    await eventuallyEqual(() => chips().count(), 3);
  });

  it('asks about sensitive files among several dropped files', async () => {
    const names = ['lib/one.ts', '.env'];
    await drop(
      'application/vnd.code.uri-list',
      names.map((name) => `file://${editor.workspace}/${name}`),
    );
    await dialog().getByText('files with this name usually contain keys').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await chips().filter({ hasText: 'one.ts' }).waitFor();
    await eventuallyEqual(() => chips().count(), 1);
  });

  /** Drops addresses on the panel in the form that the Explorer uses. */
  async function drop(type: string, addresses: readonly string[]): Promise<void> {
    const list = [type, addresses.join('\r\n')] as const;
    await chat.frame.locator('.composer').evaluate((target, [name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData(name, text);
      for (const type of ['dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }, list);
  }

  it('attaches the files of all open editors', async () => {
    await editor.workbench.closeAllEditors();
    await editor.workbench.textEditor.open('lib/one.ts');
    await editor.workbench.textEditor.open('src/parcel.ts');
    await editor.workbench.runCommand('Model Access: Attach to Chat…');
    await editor.workbench.quickInput.row('Open editors').click();
    await chips().filter({ hasText: 'parcel.ts' }).waitFor();
    assert.ok((await chips().count()) >= 1);
  });
});
