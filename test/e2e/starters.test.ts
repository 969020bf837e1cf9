import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { ReviewTab } from '../support/editor/reviewTab.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';

const NOTE = 'Prepared answer: the sandbox has not asked a model.';

describe('the prompts of an empty chat in the sandbox', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    // The prompts are about the sample, whatever is open.
    await editor.workbench.textEditor.open('src/session.ts');
    chat = await newChat(editor);
  });
  afterEach(async () => {
    await newChat(editor);
    await editor.workbench.closeAllEditors();
  });

  /** Uses a prompt, and returns the answer at its end. */
  async function use(title: string) {
    await chat.frame.getByRole('button', { name: new RegExp(`^${title}`) }).click();
    const answer = await chat.waitForAnswer(0);
    await answer.getByText(NOTE).waitFor();
    return answer;
  }

  it('explain the sample with a table and links to its lines, and other questions with what the sandbox can do', async () => {
    const answer = await use('Explain quote.ts');
    await answer.getByRole('row').nth(2).waitFor();
    await answer.getByRole('link', { name: 'src/quote.ts:10', exact: true }).click();
    await editor.workbench.textEditor.waitForTab('quote.ts');
    await editor.page.getByText('Ln 10, Col', { exact: false }).waitFor();
    await editor.screenshot('starter explain');
    const other = await chat.askAndWait('Why is it a tenth?');
    await other.getByText('three prepared answers').waitFor();
  });

  it('summarize the sample in tables, below a head that names the product, also in a narrow side bar', async () => {
    await editor.workbench.setSecondarySideBarWidth(285);
    try {
      await editor.workbench.secondarySideBar.getByRole('tab', { name: 'Model Access' }).waitFor();
      const answer = await use('Summarize quote.ts in a table');
      await answer.getByRole('heading', { name: 'Prices' }).waitFor();
      await answer.locator('math, .katex').first().waitFor();
      await editor.screenshot('starter summary at the default width');
    } finally {
      await editor.workbench.setSecondarySideBarWidth(300);
    }
  });

  it('improve the sample with an edit of two changes', async () => {
    const answer = await use('Improve quote.ts');
    const block = answer.locator('figure.code');
    await block.hover();
    await block.getByRole('button', { name: 'Apply to quote.ts' }).click();
    const review = new ReviewTab(editor, 'quote.ts');
    await review.waitFor(2);
    await review.frame.getByText('DISCOUNT_FROM = 5').first().waitFor();
    await editor.screenshot('starter improve');
  });

  it('are tasks in Agent mode', async () => {
    await chat.chooseAgent();
    for (const title of ['Fix a bug in quote.ts', 'Write tests for quote.ts', 'Update the README']) {
      await chat.frame.getByRole('button', { name: new RegExp(`^${title}`) }).waitFor();
    }
    await editor.screenshot('starters of the agent');
  });
});
