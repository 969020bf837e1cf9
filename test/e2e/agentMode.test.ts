import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { retried } from '../support/editor/retried.ts';

/** The editor's agent has a long start: it gathers some forty tools before the first question goes out. */
const LONG_WAIT_MS = 60_000;
const READING_MS = 6000;

describe('agent mode of the editor', () => {
  let editor: Editor;
  let session: Locator;
  let steps: Locator;

  before(async () => {
    editor = await openEditor({
      name: 'agentMode',
      settings: {
        'modelAccess.sandbox.enabled': true,
        'modelAccess.gateway.port': 0,
        'chat.allowAnonymousAccess': true,
      },
    });
    session = editor.page.locator('.interactive-session');
    steps = editor.page.locator('.gettingStartedContainer');
    // Until it has read them the editor shows its own first steps instead.
    await retried(async () => {
      await editor.workbench.runCommand('Model Access: Open First Steps');
      await steps.getByText('First Steps with Model Access').first().waitFor({ timeout: READING_MS });
    });
    await editor.workbench.runCommand('Chat: Open Chat (Agent)');
    await session.getByRole('button', { name: /^Models, / }).waitFor();
  });
  after(() => editor.close());

  /** Sends a question and waits for the answer that holds a text. */
  async function ask(question: string, answer: string): Promise<void> {
    await session.locator('.interactive-input-part .monaco-editor').first().click();
    await editor.page.keyboard.type(question);
    await editor.page.keyboard.press('Enter');
    const found = session.locator('.interactive-response').filter({ hasText: answer });
    await found.first().waitFor({ timeout: LONG_WAIT_MS });
  }

  it('lets a model of the service read a file with the editor’s own tool, and finishes with what it found', async () => {
    await writeFile(join(editor.workspace, 'lamp.txt'), 'The lamp in the hall is green.\n');
    const path = join(editor.workspace, 'lamp.txt');
    await ask(`use read_file filePath=${path} startLine=1 endLine=1`, 'The lamp in the hall is green.');
    await session.locator('.interactive-response').getByText('which is no real model').last().waitFor();
    await editor.screenshot('agent mode');
  });

  it('lets it count tokens with the tool of this extension', async () => {
    await ask('use count_tokens text=hello', 'count_tokens answered with');
    await session.locator('.interactive-response').getByText('"tokens":').last().waitFor();
  });

  it('is the last of the first steps, and ticked off by a question', async () => {
    await ask('echo: the last step', 'the last step');
    const done = steps.locator('[data-done-step-id$="nativeChat"][aria-checked="true"]');
    await done.first().waitFor({ state: 'attached' });
  });
});
