import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chooseForCode } from '../support/actionMenu.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventually } from '../support/eventually.ts';

/** A new version of two functions in the sample's `quote.ts`, with three changes. */
const CODE = `const FRAGILE_SURCHARGE = 3;

/** What a parcel costs in euros. */
export function quote(parcel: Parcel, zone: Zone): number {
  const byWeight = chargeableWeight(parcel) * PRICE_PER_KILOGRAM[zone];
  const price = Math.max(byWeight, MIN_PRICE[zone]) + (parcel.fragile ? FRAGILE_SURCHARGE : 0);
  return roundToCents(price);
}

/** What a basket of parcels costs; from five parcels on, a tenth less. */
export function quoteAll(parcels: readonly Parcel[], zone: Zone): number {
  const sum = parcels.reduce((total, parcel) => total + quote(parcel, zone), 0);
  return parcels.length >= 5 ? roundToCents(sum * 0.9) : sum;
}`;

describe('applying code from an answer to a file', () => {
  let editor: Editor;
  let chat: ChatPanel;
  /** A copy of the sample's file for each test, because this editor saves automatically. */
  let name: string;
  let count = 0;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    count += 1;
    name = `quote${count}.ts`;
    const folder = join(editor.workspace, 'src');
    await copyFile(join(folder, 'quote.ts'), join(folder, name));
    chat = await newChat(editor);
  });
  afterEach(() => editor.workbench.closeAllEditors());
  // Not after each test: the editor may still be saving the file, and would report that it is gone.
  after(async () => {
    for (let at = 1; at <= count; at += 1) await rm(join(editor.workspace, 'src', `quote${at}.ts`));
  });

  /** Asks for code, and returns its block. */
  async function askForCode(code: string, info = 'ts'): Promise<Locator> {
    const answer = await chat.askAndWait(`echo: \`\`\`${info}\n${code}\n\`\`\``);
    const block = answer.locator('figure.code');
    await block.hover();
    return block;
  }

  /** Asks for code and clicks the button of its block. */
  async function useCode(code: string, button: string, info = 'ts'): Promise<void> {
    await (await askForCode(code, info)).getByRole('button', { name: button, exact: true }).click();
  }

  const comparison = () => editor.page.locator('.monaco-diff-editor');
  const titleButton = (name: string | RegExp): Locator =>
    editor.page.locator('.part.editor .title .editor-actions').getByRole('button', { name });

  /** Waits until the comparison is active and shows this number of changes. */
  async function waitForComparison(): Promise<void> {
    await tab().waitFor();
    await waitForBadge(3);
    await waitForChanges(3);
  }

  const tab = () => editor.page.getByRole('tab', { name: `${name}: proposed changes`, selected: true });

  /** Waits for the number of remaining changes on the tab. */
  async function waitForBadge(count: number): Promise<void> {
    await eventually(`${count} at the tab`, () =>
      tab()
        .locator('.monaco-icon-label')
        .evaluate((label, badge) => {
          const ends = [label, ...label.querySelectorAll('*')].map((part) => getComputedStyle(part, '::after').content);
          return ends.includes(`"${badge}"`);
        }, count),
    );
  }

  async function waitForChanges(shown: number): Promise<void> {
    const lines = comparison().locator('.modified .view-overlays .line-insert');
    await eventually(`${shown} changes`, async () => (await lines.count()) === shown);
  }

  async function textOfFile(): Promise<string> {
    await editor.page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
    await comparison().waitFor({ state: 'detached' });
    return editor.workbench.textEditor.visibleText();
  }

  it('compares the code with the named file, lets each change be decided, and writes a single edit', async () => {
    await useCode(CODE, `Apply to ${name}`, `ts src/${name}`);
    await waitForComparison();
    await titleButton('Next Change').waitFor();
    await editor.screenshot('apply comparison');
    await titleButton(/^Accept Change/).click();
    await waitForChanges(2);
    await waitForBadge(2);
    await titleButton(/^Discard Change/).click();
    await waitForChanges(1);
    await waitForBadge(1);
    await titleButton(/^Accept Change/).click();
    const text = await textOfFile();
    assert.match(text, /FRAGILE_SURCHARGE = 3;/);
    assert.match(text, /return Math\.round\(price \* 100\) \/ 100;/);
    assert.match(text, /roundToCents\(sum \* 0\.9\)/);
    await editor.screenshot('apply written');
    await editor.workbench.textEditor.focus();
    await editor.page.keyboard.press('ControlOrMeta+Z');
    await eventually('one undo takes all back', async () => !/roundToCents|= 3;/.test(await textOfFile()));
  });

  it('changes nothing if all changes are discarded, including with the keyboard', async () => {
    await useCode(CODE, `Apply to ${name}`, `ts src/${name}`);
    await waitForComparison();
    await comparison().locator('.modified .view-line', { hasText: 'chargeableWeight' }).first().click();
    await editor.page.keyboard.press('ControlOrMeta+Backspace');
    await comparison()
      .locator('.modified .view-line', { hasText: /roundToCents/ })
      .first()
      .waitFor();
    await titleButton('Discard All').click();
    await comparison().waitFor({ state: 'detached' });
    assert.equal(await editor.page.getByRole('tab', { name }).count(), 0);
  });

  it('applies a diff to the named file hunk by hunk and reports a hunk that does not apply', async () => {
    const diff = [
      `--- a/src/${name}`,
      `+++ b/src/${name}`,
      '@@ -90,2 +90,2 @@ export function quote',
      ' export function quote(parcel: Parcel, zone: Zone): number {',
      '+  // priced by weight',
      '@@ -1,2 +1,2 @@ nowhere',
      ' this line is not there',
      '-neither is this',
      '+but this would be',
    ].join('\n');
    await useCode(diff, 'Apply', 'diff');
    await editor.page.getByRole('tab', { name: `${name}: proposed changes`, selected: true }).waitFor();
    await waitForChanges(1);
    await editor.workbench.notifications.waitFor(
      `1 of 2 changes in the diff do not apply to ${name}: @@ -1,2 +1,2 @@ nowhere`,
    );
    await editor.screenshot('apply diff');
    await comparison().locator('.modified .view-line', { hasText: 'priced by weight' }).first().click();
    await editor.page.keyboard.press('ControlOrMeta+Enter');
    assert.match(await textOfFile(), /zone: Zone\): number \{\n {2}\/\/ priced by weight\n/);
    await editor.workbench.clearNotifications();
  });

  it('uses the open file as the target, compares again once it has changed, and accepts all changes together', async () => {
    await editor.workbench.textEditor.open(`src/${name}`);
    await chooseForCode(await askForCode(CODE), 'Apply to file');
    await waitForComparison();
    await editor.page.getByRole('tab', { name, exact: true }).click();
    await editor.workbench.textEditor.goTo(1);
    await editor.workbench.textEditor.type('// mine\n');
    await editor.workbench.notifications.choose(`${name} has changed since it was compared.`, 'Compare Again');
    await waitForComparison();
    await titleButton('Accept All').click();
    const text = await textOfFile();
    assert.match(text, /^\/\/ mine\n/);
    assert.equal(text.match(/roundToCents/g)?.length, 2);
  });

  it('asks for the file if none is named, and for the position if no code is similar', async () => {
    await chooseForCode(await askForCode('SELECT count(*) FROM parcels;', 'sql'), 'Apply to file');
    const { quickInput } = editor.workbench;
    await quickInput.title.filter({ hasText: 'Apply to file' }).waitFor();
    await quickInput.row('Choose a file…').waitFor();
    await quickInput.cancel();
    await useCode('SELECT count(*) FROM parcels;', 'Apply to README.md', 'sql README.md');
    await quickInput.title.filter({ hasText: 'Apply to README.md' }).waitFor();
    await quickInput.pick('Append to the end of the file');
    await editor.page.getByRole('tab', { name: /README\.md: proposed changes/, selected: true }).waitFor();
    await titleButton('Discard All').click();
    await comparison().waitFor({ state: 'detached' });
  });

  it('opens a new editor for a file that does not exist yet', async () => {
    await useCode('export const fresh = 1;', 'New File', 'ts src/fresh.ts');
    const { quickInput, textEditor } = editor.workbench;
    await quickInput.pick('Create src/fresh.ts');
    await textEditor.root.getByText('fresh').first().waitFor();
    await editor.page.getByRole('tab', { name: /fresh\.ts/, selected: true }).waitFor();
    await editor.workbench.runCommand('View: Revert and Close Editor');
  });

  it('replaces the selection and matches the indentation of its lines', async () => {
    const { textEditor } = editor.workbench;
    await textEditor.open(`src/${name}`);
    await textEditor.selectLines(12, 12);
    await chooseForCode(await askForCode('const price = priceOf(byWeight);'), 'Replace selection');
    await textEditor.root.locator('.view-line', { hasText: 'priceOf' }).waitFor();
    assert.match(await textEditor.visibleText(), /zone\];\n {2}const price = priceOf\(byWeight\);\n {2}return/);
  });
});
