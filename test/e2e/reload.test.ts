import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { ReviewTab } from '../support/editor/reviewTab.ts';
import { newChat, sandboxEditor, streamWordByWord } from '../support/editor/sharedEditors.ts';
import { UsageTab } from '../support/editor/usageTab.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SAMPLE = join(ROOT, 'test', 'fixtures', 'workspace');
const CHANGED = ['src/quote.ts', 'test/quote.test.ts'];

const TOGGLE = 'View: Toggle Secondary Side Bar Visibility';

describe('the chat', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  // After a reload, a window shows the panel to which the chat was moved in the meantime.
  after(() => editor.workbench.hidePanel());

  /** Returns how far a turn is scrolled out of the thread, in pixels; NaN while it is not rendered. */
  async function scrolledOut(turn: number): Promise<number> {
    const [thread, box] = [await chat.thread.boundingBox(), await chat.turns.nth(turn).boundingBox()];
    return thread === null || box === null ? Number.NaN : Math.round(thread.y - box.y);
  }

  async function reloadWebviews(): Promise<void> {
    const before = await (await chat.turns.first().elementHandle())?.ownerFrame();
    await editor.workbench.runCommand('Developer: Reload Webviews');
    await eventually('the end of the page', async () => before?.isDetached() === true);
    await chat.waitUntilShown();
    await chat.turns.first().waitFor();
  }

  it('restores the scroll position and expanded sections when its webview is reloaded', async () => {
    await chat.chooseModel('familya-opus-4.6');
    await chat.askAndWait('think about this: write 40 words');
    const reasoning = chat.lastingAnswer(0).getByRole('button', { name: /^Reasoning/ });
    await reasoning.click();
    await chat.askAndWait(`echo: ${'One paragraph.\n\n'.repeat(60)}`);
    await chat.answers.nth(1).hover();
    await editor.page.mouse.wheel(0, -400);
    await chat.frame.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const before = await eventuallySteady(() => scrolledOut(3));
    await editor.screenshot('reload place before');
    await reloadWebviews();
    await eventually('the reader’s place', async () => Math.abs((await scrolledOut(3)) - before) <= 2);
    await editor.screenshot('reload place after');
    await eventuallyEqual(() => reasoning.getAttribute('aria-expanded'), 'true');
    await chat.chooseModel('familya-sonnet-4.6');
  });

  /** Waits until a value is unchanged for longer than the panel takes to store it. */
  async function eventuallySteady(read: () => Promise<number>): Promise<number> {
    let last = Number.NaN;
    await eventually('a place that stays', async () => {
      const before = last;
      last = await read();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return last === before;
    });
    return last;
  }

  describe('while an answer arrives', () => {
    streamWordByWord(() => editor);

    it('continues while its view is hidden and is complete when shown again', async () => {
      await chat.ask('write 80 words');
      await chat.answers.first().filter({ hasText: 'plain words' }).waitFor();
      await chat.composer.fill('a draft');
      await editor.workbench.runCommand(TOGGLE);
      await chat.lastingAnswer(0).waitFor({ state: 'detached' });
      await editor.workbench.runCommand(TOGGLE);
      await chat.waitUntilShown();
      const answer = await chat.waitForAnswer(0);
      await answer.getByText(/^\d+ out$/).waitFor();
      const words = (await answer.locator('.answer-body').innerText()).trim().split(/\s+/);
      assert.equal(words.length, 80);
      await eventuallyEqual(() => chat.composer.inputValue(), 'a draft');
    });

    it('continues streaming when its webview is reloaded', async () => {
      await chat.ask('write 120 words');
      await chat.answers.first().filter({ hasText: 'plain words' }).waitFor();
      await reloadWebviews();
      const answer = await chat.waitForAnswer(0);
      const words = (await answer.locator('.answer-body').innerText()).trim().split(/\s+/);
      assert.equal(words.length, 120);
    });

    it('continues streaming when its view is moved to another location and back', async () => {
      await chat.ask('write 120 words');
      await chat.answers.first().filter({ hasText: 'plain words' }).waitFor();
      await editor.workbench.runCommand('View: Move View');
      await editor.screenshot('reload move view');
      await editor.workbench.quickInput.pickByName('Chat', /Model Access$/);
      await editor.screenshot('reload move view places');
      await editor.workbench.quickInput.pickByName('New Panel Entry');
      await editor.page
        .locator('.part.panel')
        .getByRole('tab', { name: /^Model Access/, selected: true })
        .waitFor();
      await chat.waitUntilShown();
      const answer = await chat.waitForAnswer(0);
      const words = (await answer.locator('.answer-body').innerText()).trim().split(/\s+/);
      assert.equal(words.length, 120);
      await editor.screenshot('reload moved view');
      await editor.workbench.runCommand('View: Reset View Locations');
      await editor.workbench.hidePanel();
      await editor.openChat();
      await chat.turns.first().waitFor();
    });
  });
});

/** A reload takes longer than most tests do, so one is made for all that a window restores. */
describe('after a reload of the window', () => {
  const DRAFT = 'half a thou';
  const TABS = ['Traffic', 'Usage'];
  const HOURLY = 'Spend by hour';
  /** Has the title of the chat. */
  const REVIEW = 'Review: echo: Please keep';
  let editor: Editor;
  let chat: ChatPanel;
  let answer: Locator;
  let refusal: Locator;
  /** What the answers showed before. */
  let figures: string;
  let words: string;
  /** How much the page for the review of the agent's changes had left. */
  let unreviewed: string;

  before(async () => {
    editor = await sandboxEditor();
    const { workbench } = editor;
    chat = await newChat(editor);
    await chat.askAndWait('echo: in a tab of its own');
    await workbench.runCommand('Model Access: Move Chat to Editor Tab');
    await left('in a tab of its own').waitFor();
    chat = await newChat(editor);
    await attachLines(2, 4);
    await chat.askAndWait('echo: Please keep **this**');
    answer = chat.lastingAnswer(0);
    await chat.turns.first().getByText('session.ts:2–4').waitFor();
    await eventuallyEqual(() => chips().count(), 0);
    figures = await answer.getByText(/^\d+ out$/).innerText();
    await chat.askAndWait('refuse');
    refusal = chat.lastingAnswer(1);
    await refusal.getByRole('heading', { name: 'The model refused to answer' }).waitFor();
    words = (await refusal.innerText()).slice(0, 80);
    const code = 'export interface Parcel {\n  /** Metres. */\n  readonly length: number;\n  // ...\n}\n';
    const proposal = await chat.askAndWait(`echo: \`\`\`ts src/parcel.ts\n${code}\`\`\``);
    await proposal.locator('figure.code').hover();
    await proposal.getByRole('button', { name: 'Apply to parcel.ts' }).click();
    await proposed().waitFor(1);
    await chat.chooseAgent();
    await chat.ask('Find a bug in `src/quote.ts` and fix it');
    await chat.approval.waitFor();
    await chat.frame.getByRole('region', { name: 'Changed files' }).getByRole('button', { name: 'Review' }).click();
    unreviewed = (await left(/\d of \d changes to review$/).textContent()) ?? '';
    for (const name of TABS) {
      await workbench.runCommand(`Model Access: Open ${name}`);
      await tab(name).waitFor();
    }
    const usage = new UsageTab(editor.page);
    await usage.frame.getByRole('button', { name: 'Today', exact: true }).click();
    await usage.frame.getByRole('heading', { name: HOURLY }).waitFor();
    await attachLines(5, 6);
    await chat.pasteImage('shot.png', PNG);
    await chips().filter({ hasText: 'shot.png' }).waitFor();
    await chat.composer.fill(DRAFT);
    const views = ['chatTab', 'traffic', 'usage', 'agentReview', 'proposalReview'].map(
      (name) => `mainThreadWebview-modelAccess.${name}`,
    );
    for (const text of [await windowThatKeeps('shot.png'), DRAFT, 'today', ...views, 'modelAccess.reviewedRun']) {
      await editor.waitForSavedState(text);
    }
    await editor.reload();
    await chat.waitUntilShown();
    await chat.turns.first().waitFor();
  });
  after(async () => {
    await editor.workbench.closeAllEditors();
    await newChat(editor);
    for (const path of CHANGED) await copyFile(join(SAMPLE, path), join(editor.workspace, path));
  });

  const proposed = () => new ReviewTab(editor, 'parcel.ts');
  const left = (text: RegExp | string) => tabFrame(editor.page).getByText(text).first();
  const chips = () => chat.frame.locator('.composer').getByRole('listitem');
  const tab = (name: string) => editor.page.locator('.part.editor').getByRole('tab', { name: new RegExp(`^${name}`) });

  /** Attaches lines of a file, whose tab is in front afterward. */
  async function attachLines(first: number, last: number): Promise<void> {
    const { workbench } = editor;
    await workbench.textEditor.open('src/session.ts');
    await workbench.textEditor.selectLines(first, last);
    await workbench.runCommand('Model Access: Ask About Selection');
    await chips()
      .filter({ hasText: `session.ts:${first}–${last}` })
      .waitFor();
  }

  /**
   * Waits until an unsent attachment is on disk.
   * @returns the name of the window that wrote it.
   */
  async function windowThatKeeps(label: string): Promise<string> {
    let file: string | undefined;
    await eventually('the attachment on disk', async () => {
      [file] = await editor.profileFilesWith(label, 'attachments.json');
      return file !== undefined;
    });
    return basename(dirname(file ?? ''));
  }

  it('the chat shows its answers with their figures', async () => {
    await chat.turns.filter({ hasText: 'Please keep this' }).first().waitFor();
    await answer.getByText(figures, { exact: true }).waitFor();
    await answer.locator('strong', { hasText: 'this' }).waitFor();
    await refusal.getByRole('heading', { name: 'The model refused to answer' }).waitFor();
    assert.equal((await refusal.innerText()).slice(0, 80), words);
  });

  it('the composer has the draft and the attachments that were not sent, without those that were', async () => {
    await chips().getByRole('img', { name: 'Preview of shot.png' }).waitFor();
    await chips().filter({ hasText: 'session.ts:5–6' }).waitFor();
    await eventuallyEqual(() => chips().count(), 2);
    await eventuallyEqual(() => chat.composer.inputValue(), DRAFT);
    await chat.countedTokens();
    await editor.screenshot('reload attachments');
  });

  it('a chat in a tab is there again, and goes on beside the panel', async () => {
    await editor.page.locator('.part.editor .tab').first().click();
    await left('in a tab of its own').waitFor();
    const composer = tabFrame(editor.page).getByRole('textbox').first();
    await composer.fill('echo: and after the reload');
    await composer.press('Enter');
    await tabFrame(editor.page).getByText('and after the reload').nth(1).waitFor();
    await editor.screenshot('a chat in a tab after a reload');
    await eventuallyEqual(() => chat.turns.filter({ hasText: 'and after the reload' }).count(), 0);
  });

  it('the usage view behind another file is shown with the period that was chosen', async () => {
    await tab('Usage').and(editor.page.locator('[aria-selected="false"]')).waitFor();
    await editor.workbench.runCommand('Model Access: Open Usage');
    await new UsageTab(editor.page).frame.getByRole('heading', { name: HOURLY }).waitFor();
    await eventuallyEqual(() => tab('Usage').count(), 1);
  });

  it('a tab behind another file is shown again instead of opened twice', async () => {
    await tab('Traffic').waitFor();
    await editor.workbench.runCommand('Model Access: Open Traffic');
    await tab('Traffic').and(editor.page.locator('[aria-selected="true"]')).waitFor();
    await eventuallyEqual(() => tab('Traffic').count(), 1);
  });

  it('proposed changes are still to be reviewed, with the cost of their answer', async () => {
    await editor.page.getByRole('tab', { name: 'Review: parcel.ts' }).click();
    await proposed().waitFor(1);
    await proposed().frame.getByTitle('Cost of the answer, sample money').waitFor();
    await proposed().click('Discard');
    await proposed().waitUntilClosed();
  });

  it('a run of the agent is interrupted, with its changes to review, and can be continued', async () => {
    await tab(REVIEW).click();
    await left(unreviewed).waitFor();
    await chat.frame.getByText('Interrupted').first().waitFor();
    await editor.screenshot('agent interrupted');
    await chat.frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.approval.getByText('node --test test/quote.test.ts').waitFor();
    await chat.approval.getByRole('button', { name: 'Deny' }).click();
    await chat.frame.getByText('This task was prepared').waitFor();
    await chat.frame.getByRole('list', { name: 'Steps' }).getByText('Denied by you').waitFor();
    await tabFrame(editor.page).getByRole('button', { name: 'Discard All' }).click();
    await left(/^0 of \d changes to review$/).waitFor();
    for (const path of CHANGED) {
      assert.equal(await readFile(join(editor.workspace, path), 'utf8'), await readFile(join(SAMPLE, path), 'utf8'));
    }
  });
});
