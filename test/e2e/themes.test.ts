import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { accessibilityViolations } from '../support/panels/accessibility.ts';
import { GalleryPage } from '../support/panels/galleryPage.ts';

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
/** High contrast themes omit some of the colors that the panels use. */
const MIN_COLORS = 40;

/** Returns the names of the editor's variables in the panels' styles. */
async function usedVariables(): Promise<string[]> {
  const files = await Array.fromAsync(glob('src/panels/{shared,chat,traffic,usage}/styles/*.css', { cwd: ROOT }));
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  return [...new Set(texts.flatMap((text) => text.match(/--vscode-[\w-]+/g) ?? []))].sort();
}

/** Runs in a page: returns the colors in its theme, in a uniform notation. */
function colorsOf(page: Element, names: readonly string[]): Record<string, string> {
  const probe = document.body.appendChild(document.createElement('i'));
  const style = getComputedStyle(page);
  const colors: Record<string, string> = {};
  for (const name of names) {
    const value = style.getPropertyValue(name).trim();
    if (!CSS.supports('color', value)) continue;
    probe.style.color = value;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

describe('the appearance of the panel', () => {
  let editor: Editor;
  let chat: ChatPanel;
  let gallery: GalleryPage;

  before(async () => {
    gallery = await GalleryPage.open();
    await gallery.show('conversation');
    editor = await sandboxEditor();
    chat = await newChat(editor);
  });
  after(async () => {
    await gallery.close();
    await editor.workbench.chooseTheme('Dark Modern');
  });

  // The states are checked in a plain browser, whose page is not the editor's: it has no title, for example.
  it('has no accessibility violations', async () => {
    assert.deepEqual(await accessibilityViolations(chat.frame.locator('body')), []);
  });

  for (const [theme, name] of Object.entries(IN_GALLERY)) {
    it(`has the same colors in the gallery for ${theme}`, async () => {
      const { workbench } = editor;
      await workbench.chooseTheme(theme);
      await workbench.waitForTheme(THEMES[theme as keyof typeof THEMES]);
      await gallery.applyTheme(name);
      const names = await usedVariables();
      const given = await chat.frame.locator('html').evaluate(colorsOf, names);
      const kept = await gallery.page.locator('html').evaluate(colorsOf, names);
      assert.ok(Object.keys(given).length > MIN_COLORS, 'the editor gives colors');
      assert.deepEqual(kept, given);
    });
  }
});
