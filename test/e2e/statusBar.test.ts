import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { estimateTokens } from '../../src/tokens/estimate.ts';
import type { Editor } from '../support/editor/editor.ts';
import { retried } from '../support/editor/retried.ts';
import { freshSandboxEditor, newChat } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const STATUS = 'modelAccess.status';
const SELECTION = 'modelAccess.selection';
const SHORT_WAIT_MS = 4000;

describe('the status bar', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
  });

  const usageTab = () => editor.page.getByRole('tab', { name: 'Usage', selected: true });

  function dollars(text: string): number {
    return Number(/\$(\d+\.\d+)/.exec(text)?.[1]);
  }

  it('shows that the balance is the sandbox’s', async () => {
    await workbench.waitForStatusBar(STATUS, /Sandbox · \$\d+\.\d\d/);
  });

  it('shows a lower balance after an answer', async () => {
    const chat = await newChat(editor);
    const item = workbench.statusBarItem(STATUS);
    const before = await item.innerText();
    await chat.chooseModel('familya-opus-4.6');
    await chat.askAndWait(`Read this: ${'word '.repeat(8000)}`);
    await item.filter({ hasNotText: before }).waitFor();
    const after = await item.innerText();
    assert.ok(dollars(after) < dollars(before), `${before}, then ${after}`);
    await newChat(editor);
    await chat.chooseModel('familya-sonnet-4.6');
  });

  it('shows balance details on hover and opens the usage view on click', async () => {
    const texts = [/of \$25\.00 left/, /Sample answers and sample money/, 'Sandbox menu'];
    await workbench.hoverStatusBar(STATUS, ...texts);
    await editor.screenshot('status bar balance hover');
    await workbench.statusBarItem(STATUS).click();
    await usageTab().waitFor();
    await workbench.closeAllEditors();
  });

  it('shows the service’s answer and the usage view from the hover', async () => {
    await workbench.driver.run('modelAccess.showBalanceResponse');
    await workbench.textEditor.root.getByText('"granted"').waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
    // The hover disappears if the item is updated while the pointer moves to it.
    await retried(async () => {
      const hover = await workbench.hoverStatusBar(STATUS);
      await hover.getByRole('link', { name: 'Usage', exact: true }).click({ timeout: SHORT_WAIT_MS });
      await usageTab().waitFor({ timeout: SHORT_WAIT_MS });
    });
    await workbench.closeAllEditors();
  });

  describe('with a file open', () => {
    before(() => workbench.textEditor.open('src/session.ts'));
    after(() => workbench.closeAllEditors());

    async function waitForEstimate(text: string): Promise<number> {
      const tokens = estimateTokens(text);
      await workbench.waitForStatusBar(SELECTION, `≈\u2009${tokens} tokens`);
      return tokens;
    }

    it('shows the tokens of a selection, of a changed selection, and nothing without one', async () => {
      const text = await readFile(join(editor.workspace, 'src', 'session.ts'), 'utf8');
      const lines = (first: number, last: number) =>
        text
          .split(/(?<=\n)/)
          .slice(first - 1, last)
          .join('');
      await workbench.textEditor.selectLines(12, 13);
      const ofTwo = await waitForEstimate(lines(12, 13));
      await workbench.textEditor.selectLines(12, 21);
      const ofTen = await waitForEstimate(lines(12, 21));
      assert.ok(0 < ofTwo && ofTwo < ofTen, `${ofTwo}, ${ofTen}`);
      await workbench.waitForStatusBar(SELECTION, /tokens · (< )?\$0\.\d+ as input/);
      await editor.screenshot('status bar selection');
      await workbench.textEditor.goTo(1);
      await workbench.statusBarItem(SELECTION).waitFor({ state: 'hidden' });
    });

    it('lets the service count the selection on request', async () => {
      await workbench.textEditor.selectLines(12, 21);
      await workbench.runCommand('Model Access: Count Tokens in Selection');
      await workbench.notifications.waitFor(
        /The selection: \d+ tokens, .*\$0\.\d+ as input\. Counted by the service for familya-sonnet-4\.6\./,
      );
      await editor.screenshot('status bar count');
      await workbench.clearNotifications();
    });
  });
});
