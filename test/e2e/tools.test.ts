import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { eventually } from '../support/editor/eventually.ts';

const EARLIER = '{\n  // mine\n  "env": { "OTHER": "1" }\n}\n';

describe('connecting a tool', () => {
  let editor: Editor;
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
    editor = await openEditor({
      name: 'tools',
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
      env: { CLAUDE_CONFIG_DIR: folder.path },
    });
  });
  after(async () => {
    await editor.close();
    await folder.remove();
  });

  it('writes its configuration, proves it by a call, and restores it byte for byte', async () => {
    const { workbench, page } = editor;
    const { quickInput, notifications } = workbench;
    const file = join(folder.path, 'settings.json');
    await writeFile(file, EARLIER);
    await workbench.runCommand('Model Access: Connect a Tool…');
    await quickInput.pick('Claude Code');
    await quickInput.pick('familya-haiku-4.5');
    await quickInput.pick('No budget');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('env.ANTHROPIC_AUTH_TOKEN: key_…').waitFor();
    await editor.screenshot('connect a tool');
    await dialog.getByRole('button', { name: 'Change File' }).click();
    await notifications.choose('Claude Code uses the gateway', 'Make a Test Call');
    await notifications.with('familya-haiku-4.5 answered a call with the key of Claude Code').waitFor();
    const text = await readFile(file, 'utf8');
    assert.match(text, /\/\/ mine/);
    assert.match(text, /"ANTHROPIC_BASE_URL": "http:\/\/127\.0\.0\.1:\d+\/api"/);
    await workbench.runCommand('Model Access: Disconnect a Tool…');
    await quickInput.pick('Claude Code');
    await notifications.with('Claude Code no longer uses the gateway').waitFor();
    await eventually('the restored file', async () => (await readFile(file, 'utf8')) === EARLIER);
    assert.deepEqual(await readdir(folder.path), ['settings.json']);
  });
});
