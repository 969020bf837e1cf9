import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventually } from '../support/eventually.ts';

const STATUS = 'modelAccess.status';

/** Like a user's own script: the SDK gets neither an address nor a key. */
const SCRIPT = `
import { writeFileSync } from 'node:fs';
const [OpenAI, Anthropic] = await Promise.all(PACKAGES.map(async (url) => (await import(url)).default));
const messages = [{ role: 'user', content: 'echo: from a terminal' }];
const said = [];
try {
  const completion = await new OpenAI().chat.completions.create({ model: 'familyc-5.4', messages });
  said.push(completion.choices[0].message.content);
  const message = await new Anthropic().messages.create({ model: 'familya-haiku-4.5', max_tokens: 50, messages });
  said.push(message.content[0].text);
} catch (error) {
  said.push(String(error));
}
writeFileSync('answers.json', JSON.stringify(said));
`;

describe('terminals', () => {
  let editor: Editor;

  before(async () => {
    editor = await freshSandboxEditor();
  });
  /** The following suites in this window copy the only key. */
  after(async () => {
    const { workbench, page } = editor;
    const { quickInput, notifications } = workbench;
    await workbench.runCommand('Model Access: Manage Local Keys…');
    // The command palette, which shows “Kill All Terminals” among its recent commands, can be open for a moment.
    await quickInput.title.getByText('Local keys').waitFor();
    await quickInput.pickByName('Terminals');
    await quickInput.pickByName('Revoke…');
    await notifications.dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.locator('.part.statusbar').getByText('Local key “Terminals” revoked').waitFor();
  });
  afterEach(async () => {
    await editor.changeSettings({ 'modelAccess.terminals.useGateway': false });
    await editor.workbench.clearNotifications();
    await editor.workbench.stopGateway();
    await editor.workbench.runCommand('Terminal: Kill All Terminals');
    // When the last terminal closes, the focus returns and closes a list that is open by then.
    await eventually(
      'the end of all terminals',
      async () => (await editor.page.locator('.terminal-wrapper').count()) === 0,
    );
  });

  it('run the official SDKs without any configuration once the option is on', async () => {
    const { workbench, page, workspace } = editor;
    const packages = ['openai', '@anthropic-ai/sdk'].map((name) => import.meta.resolve(name));
    await writeFile(join(workspace, 'ask.mjs'), SCRIPT.replace('PACKAGES', JSON.stringify(packages)));
    // The command ends when new terminals have the key, which is created after the gateway has started.
    await workbench.driver.run('modelAccess.toggleTerminals');
    await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
    await workbench.runCommand('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active .xterm-helper-textarea').last();
    await terminal.waitFor({ state: 'attached' });
    await terminal.focus();
    await page.keyboard.type(`"${process.execPath}" ask.mjs`);
    await page.keyboard.press('Enter');
    const file = join(workspace, 'answers.json');
    const answers = await writtenText(file, ']');
    await editor.screenshot('terminal uses gateway');
    assert.deepEqual(JSON.parse(answers), ['from a terminal', 'from a terminal']);
    await rm(file);
    await rm(join(workspace, 'ask.mjs'));
  });
});
