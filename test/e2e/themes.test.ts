import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { accessibilityViolations } from '../support/editor/accessibility.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { GalleryPage } from '../support/editor/galleryPage.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';

const THEMES = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Dark High Contrast': 'hc-black',
  'Light High Contrast': 'hc-light',
} as const;
const IN_GALLERY = {
  'Dark Modern': 'dark',
  'Light Modern': 'light',
  'Dark High Contrast': 'hc',
  'Light High Contrast': 'hc-light',
} as const;
const [NARROW, WIDE, USUAL] = [260, 560, 300];
/** Themes of high contrast leave out some of those that the panels use. */
const FEWEST_COLOURS = 40;

/** Names of the editor's variables in the styles of the panels. */
async function usedVariables(): Promise<string[]> {
  const files = await Array.fromAsync(glob('src/panels/{shared,chat,traffic,usage}/styles/*.css', { cwd: ROOT }));
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  return [...new Set(texts.flatMap((text) => text.match(/--vscode-[\w-]+/g) ?? []))].sort();
}

/** In a page: those that its theme has, in one spelling. */
function coloursOf(page: Element, names: readonly string[]): Record<string, string> {
  const probe = document.body.appendChild(document.createElement('i'));
  const style = getComputedStyle(page);
  const colours: Record<string, string> = {};
  for (const name of names) {
    const value = style.getPropertyValue(name).trim();
    if (!CSS.supports('color', value)) continue;
    probe.style.color = value;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

describe('the look of the panel', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
    chat = await newChat(editor);
    await editor.workbench.textEditor.open('src/session.ts');
    await editor.workbench.textEditor.selectLines(29, 35);
    await editor.workbench.runCommand('Model Access: Ask About Selection');
    await chat.askAndWait('What does `#touch` do?');
    await chat.askAndWait('markdown');
    await chat.composer.fill('And why is it private?');
    await chat.countedTokens();
  });
  after(async () => {
    await editor.workbench.chooseTheme('Dark Modern');
    await editor.workbench.setSecondarySideBarWidth(USUAL);
    await editor.workbench.closeAllEditors();
  });

  for (const [theme, kind] of Object.entries(THEMES)) {
    it(`is free of accessibility faults in ${theme}`, async () => {
      const { workbench } = editor;
      await workbench.setSecondarySideBarWidth(NARROW);
      await workbench.chooseTheme(theme);
      await workbench.waitForTheme(kind as (typeof THEMES)[keyof typeof THEMES]);
      await chat.frame.locator(`body[data-vscode-theme-kind]`).waitFor();
      await editor.screenshot(`theme ${theme}`);
      assert.deepEqual(await accessibilityViolations(chat.frame.locator('body')), []);
    });
  }

  for (const [theme, name] of Object.entries(IN_GALLERY)) {
    it(`has the colours of ${theme} in the gallery, too`, async () => {
      const { workbench } = editor;
      await workbench.chooseTheme(theme);
      await workbench.waitForTheme(THEMES[theme as keyof typeof THEMES]);
      const gallery = await GalleryPage.open();
      await gallery.show('conversation', { theme: name });
      const names = await usedVariables();
      const given = await chat.frame.locator('html').evaluate(coloursOf, names);
      const kept = await gallery.page.locator('html').evaluate(coloursOf, names);
      await gallery.close();
      assert.ok(Object.keys(given).length > FEWEST_COLOURS, 'the editor gives colours');
      assert.deepEqual(kept, given);
    });
  }

  it('is free of accessibility faults where it is wide', async () => {
    await editor.workbench.setSecondarySideBarWidth(WIDE);
    await editor.screenshot('theme in a wide panel');
    assert.deepEqual(await accessibilityViolations(chat.frame.locator('body')), []);
  });

  it('is free of accessibility faults with its lists open', async () => {
    await chat.modelPicker.click();
    await chat.frame.getByRole('option').first().waitFor();
    assert.deepEqual(await accessibilityViolations(chat.frame.locator('body')), []);
    await chat.composer.click();
    await chat.meterLine.press('Enter');
    await chat.breakdown.waitFor();
    assert.deepEqual(await accessibilityViolations(chat.frame.locator('body')), []);
    await chat.meterLine.press('Escape');
  });
});
