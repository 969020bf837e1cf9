import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const STATUS = 'modelAccess.status';
describe('inline suggestions in the editor', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
  });
  beforeEach(async () => {
    // A hover of the status bar would cover the editor.
    await editor.page.mouse.move(0, 0);
    await workbench.closeAllEditors();
    await workbench.textEditor.open('src/quote.ts');
    await workbench.textEditor.focus();
    await editor.page.keyboard.press('ControlOrMeta+End');
  });
  after(async () => {
    await editor.changeSettings({ 'modelAccess.inlineSuggestions.enabled': false });
    await workbench.clearNotifications();
    await workbench.closeAllEditors();
    await editor.removeFiles('renamed.ts');
  });

  const ghost = () => editor.page.locator('.part.editor .ghost-text-decoration, .part.editor .ghost-text').first();
  const text = async () => workbench.textEditor.visibleText();
  const statusIcon = (name: string) => workbench.statusBarItem(STATUS).locator(`.codicon-${name}`);

  it('say what an hour costs when they are switched on, and are off in the status bar before', async () => {
    await eventuallyEqual(() => statusIcon('sparkle').count(), 0);
    await workbench.runCommand('Model Access: Toggle Inline Suggestions');
    await workbench.notifications.waitFor(/Inline suggestions are on. An hour of typing costs ≈\s?sample \$\d/);
    await editor.screenshot('inline suggestions explained');
    await workbench.clearNotifications();
    await statusIcon('sparkle').waitFor();
  });

  it('are shown while a person types, and Tab accepts them', async () => {
    await workbench.textEditor.type('\nexport function ');
    await ghost().waitFor();
    await editor.screenshot('inline suggestion');
    await workbench.textEditor.type('chea');
    await ghost().waitFor();
    await editor.page.keyboard.press('Tab');
    await eventually('the accepted text', async () => (await text()).includes('zones.reduce((best, zone)'));
    await workbench.hoverStatusBar(STATUS, /Today: /, /1 of \d suggestions? accepted/, /Last: /);
    await editor.screenshot('inline suggestions hover');
  });

  it('are shown once the list of completions is closed', async () => {
    await workbench.textEditor.type('\nexport function');
    const list = editor.page.locator('.suggest-widget.visible');
    await editor.page.keyboard.press('Control+Space');
    await list.waitFor();
    await editor.page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await ghost().waitFor();
  });

  it('are dismissed with Escape', async () => {
    await workbench.textEditor.type('\nexport function ');
    await ghost().waitFor();
    await editor.page.keyboard.press('Escape');
    await ghost().waitFor({ state: 'detached' });
    assert.equal((await text()).includes('cheapestZone'), false);
  });

  it('are snoozed and continued from their menu', async () => {
    await workbench.runCommand('Model Access: Inline Suggestions…');
    await workbench.quickInput.rows.filter({ hasText: 'Snooze for an Hour' }).waitFor();
    await editor.screenshot('inline suggestions menu');
    await workbench.quickInput.rows.filter({ hasText: 'Snooze for an Hour' }).click();
    await workbench.hoverStatusBar(STATUS, /Snoozed until \d\d:\d\d/);
    await workbench.runCommand('Model Access: Inline Suggestions…');
    await workbench.quickInput.rows.filter({ hasText: 'Continue' }).click();
    await statusIcon('sparkle').waitFor();
  });

  it('offer models with the price of an hour', async () => {
    await workbench.runCommand('Model Access: Choose Default Models…');
    const view = new SideView(editor.page, workbench, 'Models');
    await view.rows.filter({ hasText: 'Inline suggestions' }).click();
    await workbench.quickInput.rows.filter({ hasText: 'Automatic' }).waitFor();
    await workbench.quickInput.rows
      .filter({ hasText: /an hour of typing/ })
      .first()
      .waitFor();
    await editor.screenshot('inline suggestions models');
    await workbench.quickInput.cancel();
  });

  it('offer a change that was made twice at the next place, which Tab makes', async () => {
    await editor.addFiles({ 'renamed.ts': 'const cost = 1;\nlog(cost);\nsum(cost);\nshow(cost);\n' });
    await workbench.textEditor.open('renamed.ts');
    await workbench.textEditor.focus();
    for (const line of [1, 2]) {
      await workbench.textEditor.goTo(line);
      const presses = line === 1 ? 6 : 4;
      for (let at = 0; at < presses; at += 1) await editor.page.keyboard.press('ArrowRight');
      for (let at = 0; at < 4; at += 1) await editor.page.keyboard.press('Delete');
      await workbench.textEditor.type('price');
      // Closes the list of words that the editor completes.
      await editor.page.keyboard.press('End');
    }
    const offered = editor.page.locator('.part.editor .view-line', { hasText: 'sum(cost' });
    await eventually('the offer', async () =>
      offered.evaluate((line) =>
        [...line.querySelectorAll('*')].some((each) => getComputedStyle(each, '::after').content.includes('price')),
      ),
    );
    await editor.screenshot('next edit');
    await editor.page.keyboard.press('Tab');
    await eventually('the change', async () => (await text()).includes('sum(price);'));
    await editor.page.keyboard.press('Tab');
    await eventually('the last change', async () => (await text()).includes('show(price);'));
  });

  it('stop when they are switched off, and say so in the status bar', async () => {
    await workbench.runCommand('Model Access: Toggle Inline Suggestions');
    await workbench.hoverStatusBar(STATUS, /Off/);
  });
});
