import assert from 'node:assert/strict';
import { chooseForCode } from '../support/actionMenu.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

describe('reading an answer', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  it('shows formulas typeset with fonts from the package, and moves from a reference to its footnote', async () => {
    const text = 'The loss[^a] is $L(x) = x^2$.\n\n$$\n\\frac{1}{2}\n$$\n\n[^a]: Here it is.';
    const answer = await chat.askAndWait(`echo: ${text}`);
    await answer.locator('.formula.display .katex').waitFor();
    await eventuallyEqual(() => answer.locator('.formula .katex-html').count(), 2);
    assert.doesNotMatch(await answer.locator('.answer-body').innerText(), /\$/);
    await answer.getByRole('button', { name: 'Footnote 1' }).click();
    await answer.getByRole('listitem').and(chat.frame.locator(':focus')).getByText('Here it is.').waitFor();
  });

  it('shows a diagram as an image, its source on request, and why another one is not rendered', async () => {
    const diagrams = ['  Tab --> Server', '  A[open --> B'].map(
      (line) => `\`\`\`mermaid\nflowchart LR\n${line}\n\`\`\``,
    );
    const answer = await chat.askAndWait(`echo: ${diagrams.join('\n\n')}`);
    const diagram = answer.getByRole('figure', { name: 'Diagram' }).first();
    await diagram.getByRole('img', { name: 'Diagram with: Tab, Server' }).waitFor();
    await editor.screenshot('reading diagram');
    await diagram.hover();
    await diagram.getByRole('button', { name: 'Show source' }).click();
    await diagram.getByText('Tab --> Server').waitFor();
    await answer.getByText(/^Could not draw the diagram: /).waitFor();
    await answer.getByText('A[open --> B').waitFor();
  });

  it('opens code in a new file with its language', async () => {
    const answer = await chat.askAndWait('echo: ```json\n{ "fresh": true }\n```');
    const code = answer.getByRole('figure', { name: 'Code, JSON' });
    await code.hover();
    await chooseForCode(code, 'New file');
    await editor.workbench.textEditor.root.getByText('"fresh"').waitFor();
    await editor.workbench.closeAllEditors();
  });

  it('links a path to the lines of the file, but not a path that does not exist', async () => {
    const answer = await chat.askAndWait(
      'echo: See `src/quote.ts:11-13`, parcel.ts and src/missing.ts, or [this](src/session.ts#L3).',
    );
    const link = answer.getByRole('link', { name: 'src/quote.ts:11-13' });
    await link.waitFor();
    await answer.getByRole('link', { name: 'parcel.ts', exact: true }).waitFor();
    await answer.getByRole('link', { name: 'this' }).waitFor();
    await eventuallyEqual(() => answer.getByRole('link').count(), 3);
    await link.click();
    await editor.workbench.textEditor.waitForTab('quote.ts');
    await editor.page.getByText('Ln 13, Col', { exact: false }).waitFor();
    await editor.screenshot('reading file links');
    await editor.workbench.runCommand('View: Close All Editors');
  });
});
