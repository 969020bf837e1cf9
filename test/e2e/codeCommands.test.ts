import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Editor } from '../support/editor/editor.ts';
import { ReviewTab } from '../support/editor/reviewTab.ts';
import { sandboxEditor, streamWordByWord } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

const PROMPTS = '.model-access/prompts';
const ONE = 'export const one = 1;\n\nexport const two = 2;\n';
const DOCUMENTED = '/** One, and no other. */\nexport const one = 1;';

/** Returns a prompt that the sandbox answers with this code. */
function echo(language: string, code: string): string {
  return `echo: Here it is:\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
}

describe('running a code command', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
    await editor.addFiles({
      'one.ts': ONE,
      'untouched.ts': 'export const three = 3;\n',
      'broken.json': '{ "a": }\n',
      [`${PROMPTS}/document.md`]: echo('ts', DOCUMENTED),
      [`${PROMPTS}/fix.md`]: echo('json', '{ "a": 1 }'),
      [`${PROMPTS}/tests.md`]: echo('ts', 'it("is one");'),
      [`${PROMPTS}/commit-message.md`]: 'echo: Add the number one\n',
      [`${PROMPTS}/explain.md`]: `echo: explained $\{selection}\n`,
    });
    await editor.stageInGit('one.ts');
  });
  beforeEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeAllEditors();
  });
  after(async () => {
    await workbench.closeAllEditors();
    await editor.removeFiles('one.ts', 'untouched.ts', 'broken.json', '.model-access', '.git');
  });

  async function eventuallyShown(text: string): Promise<void> {
    await eventually(`“${text}” in the editor`, async () => (await workbench.textEditor.visibleText()).includes(text));
  }

  async function eventuallyHidden(text: string): Promise<void> {
    await eventually(`no “${text}” in the editor`, async () => {
      const shown = await workbench.textEditor.visibleText();
      return shown !== '' && !shown.includes(text);
    });
  }

  /** Waits until the review of one change to the file is active. */
  async function proposed(name: string): Promise<ReviewTab> {
    const review = new ReviewTab(editor, name);
    await review.waitFor(1);
    return review;
  }

  it('proposes documentation for the selection, writes the accepted changes, and undoes them', async () => {
    const file = join(editor.workspace, 'one.ts');
    await writeFile(file, ONE);
    await workbench.textEditor.open('one.ts');
    await workbench.textEditor.selectLines(1, 1);
    await workbench.runCommand('Model Access: Document Selection');
    const review = await proposed('one.ts');
    assert.equal(await readFile(file, 'utf8'), ONE);
    await review.frame.getByTitle('Cost of the answer, sample money').waitFor();
    await editor.screenshot('documented review');
    await workbench.runCommand('Model Access: Accept All Changes');
    await eventuallyShown('/** One, and no other. */');
    await eventuallyShown('export const two = 2;');
    await editor.screenshot('documented');
    await editor.chat.undo('Change applied to one.ts');
    assert.equal(await workbench.notifications.with('Change applied').count(), 0);
    await eventually('the file as it was', async () => (await readFile(file, 'utf8')) === ONE);
    await eventuallyHidden('One, and no other');
  });

  it('offers to undo the changes in a notification while the chat is hidden', async () => {
    await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
    try {
      await workbench.textEditor.open('one.ts');
      await workbench.textEditor.selectLines(1, 1);
      await workbench.runCommand('Model Access: Document Selection');
      await (await proposed('one.ts')).click('Accept');
      await eventuallyShown('/** One, and no other. */');
      await editor.screenshot('documented without the chat');
      await workbench.notifications.choose('Change applied to one.ts', 'Undo');
      await eventuallyHidden('One, and no other');
    } finally {
      await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
      await editor.chat.waitUntilShown();
    }
  });

  it('returns the same code with a comment as a sample in the sandbox', async () => {
    await rm(join(editor.workspace, PROMPTS, 'document.md'));
    await workbench.textEditor.open('untouched.ts');
    await workbench.textEditor.selectLines(1, 1);
    await workbench.runCommand('Model Access: Document Selection');
    const review = await proposed('untouched.ts');
    await review.frame.locator('.code-line.added', { hasText: 'Sample from the sandbox' }).waitFor();
    await workbench.runCommand('Model Access: Discard All Changes');
    await review.waitUntilClosed();
    await writeFile(join(editor.workspace, PROMPTS, 'document.md'), echo('ts', DOCUMENTED));
  });

  it('fixes a problem from the lightbulb menu', async () => {
    await workbench.textEditor.open('broken.json');
    await editor.page.locator('.monaco-editor .squiggly-error').first().waitFor();
    await workbench.textEditor.focus();
    await workbench.runCommand('Go to Next Problem (Error, Warning, Info)');
    await editor.page.keyboard.press('Escape');
    const action = editor.page.locator('.action-widget').getByText('Fix with Model Access');
    await eventually('the light bulb’s list', async () => {
      await editor.page.keyboard.press('ControlOrMeta+.');
      return action.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    });
    await editor.screenshot('quick fix');
    await action.click();
    await (await proposed('broken.json')).click('Accept');
    await eventuallyShown('{ "a": 1 }');
  });

  it('writes tests to a new file with the conventional name', async () => {
    await workbench.textEditor.open('one.ts');
    await workbench.runCommand('Model Access: Write Tests for Selection');
    await editor.page.getByRole('tab', { name: 'one.test.ts' }).waitFor();
    await eventually('the tests', async () => {
      const texts = await editor.page.locator('.part.editor .view-lines').allInnerTexts();
      return texts.some((text) => text.replaceAll('\u00a0', ' ').includes('it("is one");'));
    });
    await editor.screenshot('tests');
  });

  it('explains the selection in the chat with the user’s own prompt', async () => {
    await workbench.textEditor.open('one.ts');
    await workbench.textEditor.selectLines(1, 2);
    await workbench.runCommand('Model Access: Explain Selection');
    await editor.chat.waitUntilShown();
    await editor.chat.turns.filter({ hasText: 'explained one.ts:1–2' }).last().waitFor();
    const question = editor.chat.turns.filter({ hasText: 'Explain one.ts:1–2' }).first();
    await question.getByRole('button', { name: 'Show what was sent' }).click();
    await editor.chat.turns.getByText('echo: explained').waitFor();
  });

  it('is in the editor’s context menu, beside what the editor’s own chat offers', async () => {
    const { page } = editor;
    await workbench.textEditor.open('one.ts');
    await workbench.textEditor.selectLines(1, 2);
    await page.locator('.part.editor .view-line').first().click({ button: 'right' });
    const menu = page.getByRole('menu').last();
    await menu.getByRole('menuitem', { name: 'Model Access' }).waitFor();
    const entries = await menu.getByRole('menuitem').allInnerTexts();
    await menu.getByRole('menuitem', { name: 'Model Access' }).hover();
    await page.getByRole('menuitem', { name: 'Explain Selection' }).waitFor();
    await editor.screenshot('context menu of the editor');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    // After what the editor's own chat offers for code, and before the commands that change it.
    const place = entries.indexOf('Model Access');
    assert.ok(place > entries.indexOf('Explain') && place < entries.indexOf('Cut'), entries.join());
    assert.ok(place < entries.findIndex((entry) => entry.startsWith('Change All Occurrences')), entries.join());
  });

  it('asks before sending a request above the cost threshold, and changes nothing if declined', async () => {
    await editor.changeSettings({ 'modelAccess.commands.askAbove': 0 });
    try {
      await workbench.textEditor.open('untouched.ts');
      await workbench.textEditor.selectLines(1, 1);
      await workbench.runCommand('Model Access: Document Selection');
      const { dialog } = workbench.notifications;
      await dialog.getByText(/^Send ≈\s\d+ tokens, .+ to familya-/).waitFor();
      await editor.screenshot('asked before sending');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      assert.doesNotMatch(await workbench.textEditor.visibleText(), /One, and no other/);
    } finally {
      await editor.changeSettings({ 'modelAccess.commands.askAbove': 0.1 });
    }
  });

  describe('in Source Control', () => {
    streamWordByWord(() => editor);
    before(() =>
      editor.page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Source Control/ })
        .click(),
    );
    after(() => workbench.runCommand('View: Show Explorer'));

    it('writes a commit message with a click on the button, and restores it if the next one is stopped', async () => {
      const sideBar = editor.page.locator('.part.sidebar');
      const message = sideBar.locator('.scm-editor .view-lines');
      const write = sideBar.getByRole('button', { name: /Write Commit Message$/ }).first();
      await write.click();
      await message.filter({ hasText: 'Add the number one' }).waitFor();
      await editor.screenshot('commit message');

      await writeFile(join(editor.workspace, PROMPTS, 'commit-message.md'), 'write 5000 words\n');
      await write.click();
      // The box is empty for a moment whenever the view is drawn again, as it is for the changed file.
      await message.filter({ hasText: /\p{L}{3}/u, hasNotText: 'Add the number one' }).waitFor();
      await sideBar
        .getByRole('button', { name: /Stop Writing Commit Message$/ })
        .first()
        .click();
      await message.filter({ hasText: 'Add the number one' }).waitFor();
    });
  });

  it('opens a copy of a built-in prompt for editing', async () => {
    await workbench.runCommand('Model Access: Open Prompt…');
    await workbench.quickInput.pick('Prompts of code commands');
    await workbench.quickInput.row('Write tests').waitFor();
    await editor.screenshot('prompts of commands');
    await workbench.quickInput.pick('Write tests');
    await workbench.textEditor.waitForTab('tests.md');
  });
});
