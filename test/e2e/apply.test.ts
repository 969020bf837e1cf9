import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chooseForCode } from '../support/actionMenu.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { ReviewTab } from '../support/editor/reviewTab.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

const NAME = 'quote.ts';
/** A new version of two functions in this file of the sample, with three changes. */
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

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  // Reverts the file, which no test saves.
  afterEach(() => editor.workbench.closeAllEditors());

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

  const review = (of = NAME) => new ReviewTab(editor, of);

  /** Waits until the file is in front and its text matches, and returns the text. */
  async function textOfFile(pattern: RegExp): Promise<string> {
    await editor.page.getByRole('tab', { name: new RegExp(`^${NAME}`), selected: true }).waitFor();
    await review().waitUntilClosed();
    return editor.workbench.textEditor.waitForText(pattern);
  }

  it('shows the changes of the named file with their price, and writes each one that is accepted', async () => {
    await useCode(CODE, `Apply to ${NAME}`, `ts src/${NAME}`);
    await review().waitFor(3);
    await review().frame.getByTitle('Cost of the answer, sample money').waitFor();
    await editor.screenshot('apply review');
    await review().click('Accept');
    await review().waitFor(2, 3);
    await review().click('Discard');
    await review().waitFor(1, 3);
    await editor.screenshot('apply review in part');
    await review().click('Accept');
    const text = await textOfFile(/FRAGILE_SURCHARGE = 3;/);
    assert.match(text, /return Math\.round\(price \* 100\) \/ 100;/);
    assert.match(text, /roundToCents\(sum \* 0\.9\)/);
    await editor.screenshot('apply written');
    await chat.undo(`2 of 3 changes applied to ${NAME}`);
    // One undo takes all back.
    await textOfFile(/^(?![\s\S]*(?:roundToCents|= 3;))[\s\S]/);
  });

  it('changes nothing if all changes are discarded, including with the keyboard', async () => {
    // A file of its own, because an undo shows its file at the end, maybe after its test.
    const file = 'discarded.ts';
    await editor.addFiles({ [`src/${file}`]: await readFile(join(editor.workspace, 'src', NAME), 'utf8') });
    await useCode(CODE, `Apply to ${file}`, `ts src/${file}`);
    await review(file).waitFor(3);
    await editor.page.keyboard.press('Alt+F5');
    await review(file).frame.locator('[aria-label="Change 2 of 3"]:focus').waitFor();
    await editor.page.keyboard.press('Alt+Backspace');
    await review(file).waitFor(2, 3);
    await review(file).click('Discard All');
    await review(file).waitUntilClosed();
    await eventuallyEqual(() => editor.page.getByRole('tab', { name: file }).count(), 0);
    await editor.removeFiles(`src/${file}`);
  });

  it('applies a diff to the named file hunk by hunk and reports a hunk that does not apply', async () => {
    const diff = [
      `--- a/src/${NAME}`,
      `+++ b/src/${NAME}`,
      '@@ -90,2 +90,2 @@ export function quote',
      ' export function quote(parcel: Parcel, zone: Zone): number {',
      '+  // priced by weight',
      '@@ -1,2 +1,2 @@ nowhere',
      ' this line is not there',
      '-neither is this',
      '+but this would be',
    ].join('\n');
    await useCode(diff, 'Apply', 'diff');
    await review().waitFor(1);
    await editor.workbench.notifications.waitFor(
      `1 of 2 changes in the diff do not apply to ${NAME}: @@ -1,2 +1,2 @@ nowhere`,
    );
    await editor.screenshot('apply diff');
    await editor.page.keyboard.press('Alt+Enter');
    await textOfFile(/zone: Zone\): number \{\n {2}\/\/ priced by weight\n/);
    await editor.workbench.clearNotifications();
  });

  it('uses the open file as the target, keeps what is typed there meanwhile, and accepts all changes together', async () => {
    await editor.workbench.textEditor.open(`src/${NAME}`);
    await chooseForCode(await askForCode(CODE), 'Apply to file');
    await review().waitFor(3);
    await editor.page.getByRole('tab', { name: NAME, exact: true }).click();
    await editor.workbench.textEditor.goTo(1);
    await editor.workbench.textEditor.type('// mine\n');
    await editor.page.getByRole('tab', { name: `Review: ${NAME}` }).click();
    await review().frame.getByText('You edited this file too').waitFor();
    await review().click('Accept All');
    const text = await textOfFile(/^\/\/ mine\n/);
    assert.equal(text.match(/roundToCents/g)?.length, 2);
  });

  it('offers to open a review again that was closed before all changes were decided', async () => {
    await useCode(CODE, `Apply to ${NAME}`, `ts src/${NAME}`);
    await review().waitFor(3);
    await review().click('Discard');
    await review().waitFor(2, 3);
    await editor.workbench.closeAllEditors();
    await editor.workbench.notifications.choose(
      `The review of ${NAME} was closed before all changes were decided.`,
      'Open Review',
    );
    await review().waitFor(2);
    await review().click('Discard All');
    await review().waitUntilClosed();
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
    await review('README.md').waitFor(1);
    await review('README.md').click('Discard');
    await review('README.md').waitUntilClosed();
  });

  it('offers the end of the block that has members like the code first', async () => {
    await useCode('insured: boolean;', 'Apply to parcel.ts', 'ts src/parcel.ts');
    const { quickInput } = editor.workbench;
    await quickInput.title.filter({ hasText: 'Apply to parcel.ts' }).waitFor();
    await editor.screenshot('apply place');
    await editor.page.keyboard.press('Enter');
    await review('parcel.ts').waitFor(1);
    await review('parcel.ts').frame.getByText('insured').waitFor();
    await review('parcel.ts').click('Discard');
    await review('parcel.ts').waitUntilClosed();
  });

  it('asks what the omitted lines are if it is not certain, and merges with a model only if that is chosen', async () => {
    const code = '// ... existing code ...\n\nexport const LIMIT = 3;';
    await useCode(code, `Apply to ${NAME}`, `ts src/${NAME}`);
    const { quickInput } = editor.workbench;
    await quickInput.title.filter({ hasText: `Apply to ${NAME}` }).waitFor();
    await eventuallyEqual(() => quickInput.row('Append to the end of the file').count(), 0);
    await editor.screenshot('apply uncertain');
    await quickInput.row(/Merge with .*sample/).click();
    await review().waitFor(1);
    await review().click('Accept');
    await textOfFile(/\nexport const LIMIT = 3;\n$/);
    assert.doesNotMatch(await textOfFile(/LIMIT/), /existing code/);
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
    await textEditor.open(`src/${NAME}`);
    await textEditor.selectLines(12, 12);
    await chooseForCode(await askForCode('const price = priceOf(byWeight);'), 'Replace selection');
    await textEditor.root.locator('.view-line', { hasText: 'priceOf' }).waitFor();
    await textEditor.waitForText(/zone\];\n {2}const price = priceOf\(byWeight\);\n {2}return/);
  });
});
