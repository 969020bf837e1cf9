import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { chooseFromMenu } from '../support/editor/menu.ts';
import { retried } from '../support/editor/retried.ts';
import { eventually } from '../support/eventually.ts';

/** The editor's agent takes long to start: it collects about forty tools before it sends the first question. */
const ANSWER_MS = 30_000;
const OPENING_MS = 15_000;

describe('the editor’s agent mode', () => {
  let editor: Editor;
  let session: Locator;
  let steps: Locator;

  before(async () => {
    editor = await openEditor({
      name: 'agentMode',
      extensions: 'with agent',
      settings: {
        'modelAccess.sandbox.enabled': true,
        'modelAccess.gateway.port': 0,
        'chat.allowAnonymousAccess': true,
      },
    });
    session = editor.page.locator('.interactive-session');
    steps = editor.page.locator('.gettingStartedContainer');
    // The first question makes the editor set up its agent with its tools. If that takes long, the editor abandons the
    // question and asks the user to try again, so nothing is expected of its answer.
    await send('echo: set up');
    await waitForAnswer(session.locator('.interactive-response:not(.chat-response-loading)').first());
    await eventually('the tools of the editor', async () => {
      const names = await editor.workbench.driver.toolNames();
      return names.includes('copilot_readFile');
    });
  });
  after(() => editor.close());

  /** Shows the chat. While the editor sets up its agent, another view may replace it. */
  async function showChat(): Promise<void> {
    if (await session.isVisible()) return;
    await editor.workbench.runCommand('Chat: Open Chat (Agent)');
    await session.getByRole('button', { name: /^Models, / }).waitFor({ timeout: OPENING_MS });
  }

  /** Sends a question to the agent and waits until it is in the chat. Retries if the editor loses it during setup. */
  async function send(question: string): Promise<void> {
    const asked = session.locator('.interactive-request').filter({ hasText: question }).first();
    await retried(async () => {
      await editor.workbench.driver.run('workbench.action.chat.open', { query: question, mode: 'agent' });
      await showChat();
      await asked.waitFor({ timeout: OPENING_MS });
    });
  }

  /** Sends a question and waits for an answer that contains a text. */
  async function ask(question: string, answer: string): Promise<void> {
    await send(question);
    await waitForAnswer(session.locator('.interactive-response').filter({ hasText: answer }).first());
  }

  async function waitForAnswer(answer: Locator): Promise<void> {
    await retried(async () => {
      await showChat();
      await answer.waitFor({ timeout: ANSWER_MS });
    });
  }

  it('lets a service model read a file with the editor’s tool and answer with its contents', async () => {
    await writeFile(join(editor.workspace, 'lamp.txt'), 'The lamp in the hall is green.\n');
    const path = join(editor.workspace, 'lamp.txt');
    await ask(`use read_file filePath=${path} startLine=1 endLine=1`, 'The lamp in the hall is green.');
    await session.locator('.interactive-response').getByText('not a real model').last().waitFor();
    await editor.screenshot('agent mode');
  });

  it('lets the model count tokens with this extension’s tool', async () => {
    await ask('use count_tokens text=hello', 'count_tokens answered with');
    await session.locator('.interactive-response').getByText('"tokens":').last().waitFor();
  });

  it('shows a model’s reasoning in a separate section', async () => {
    await ask('think echo: after some thought', 'after some thought');
    const reasoning = session.locator('.chat-thinking-box').getByText('The sandbox does not reason');
    await reasoning.first().waitFor({ state: 'attached' });
  });

  it('completes the last walkthrough step, even if the walkthrough is opened later', async () => {
    await ask('echo: the last step', 'the last step');
    await editor.workbench.runCommand('Model Access: Get Started');
    await steps.getByRole('heading', { name: 'Get Started with Model Access', level: 2 }).waitFor();
    await steps.locator('[data-done-step-id$="nativeChat"][aria-checked="true"]').waitFor({ state: 'attached' });
    await editor.screenshot('first steps after native chat');
  });

  it('asks for a key in Add Models and lists the models once the extension is connected', async () => {
    const { page, workbench } = editor;
    const { quickInput } = workbench;
    await workbench.runCommand('Model Access: Leave the Sandbox');
    await workbench.waitForStatusBar('modelAccess.status', 'Set Service Key');
    await workbench.runCommand('Chat: Manage Language Models');
    const model = page.locator('.models-table-container, .editor-container').getByText('code-fast-1').first();
    await model.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add Models' }).first().click();
    await chooseFromMenu(page, 'Model Access');
    await quickInput.row('Set Service Key').waitFor();
    await editor.screenshot('a key where models are added');
    await quickInput.pick('Try the Sandbox');
    await workbench.waitForStatusBar('modelAccess.status', 'Sandbox');
    await model.waitFor();
  });
});
