import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { retried } from '../support/editor/retried.ts';
import { eventually } from '../support/eventually.ts';

const EARLIER = '{\n  // mine\n  "env": { "OTHER": "1" }\n}\n';

const READING_MS = 6000;

describe('connecting a tool', () => {
  let editor: Editor;
  let codexHome: TemporaryFolder;

  // Of its own: each connection makes a local key, which the suites of the shared window would meet.
  before(async () => {
    codexHome = await temporaryFolder();
    editor = await openEditor({
      name: 'tools',
      env: { CODEX_HOME: codexHome.path },
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
    });
    await mkdir(editor.toolsFolder, { recursive: true });
  });
  after(() => editor.close());
  after(() => codexHome.remove());

  beforeEach(async () => {
    await editor.workbench.clearNotifications();
    await writeFile(file(), EARLIER);
  });

  const file = () => join(editor.toolsFolder, 'settings.json');

  async function connect(): Promise<void> {
    const { quickInput, notifications } = editor.workbench;
    await editor.workbench.runCommand('Model Access: Connect a Tool…');
    for (const name of ['Claude Code', 'familya-haiku-4.5', 'No budget']) await quickInput.pickByName(name);
    await notifications.dialog.getByText('env.ANTHROPIC_AUTH_TOKEN: key_…').waitFor();
    await editor.screenshot('connect a tool');
    await notifications.dialog.getByRole('button', { name: 'Change File' }).click();
    await notifications.waitFor('Claude Code will use the gateway');
  }

  async function disconnect(tool: string): Promise<void> {
    const { workbench } = editor;
    // A tab that was closed gives the focus away a moment later, which closes a list.
    await retried(async () => {
      await workbench.runCommand('Model Access: Disconnect a Tool…');
      await workbench.quickInput.row(tool).click({ timeout: READING_MS });
    });
  }

  async function disconnectClaudeCode(): Promise<void> {
    await disconnect('Claude Code');
    await eventually('the restored file', async () => (await readFile(file(), 'utf8')) === EARLIER);
    await eventually('the end of its copy', async () => (await readdir(editor.toolsFolder)).join() === 'settings.json');
  }

  /** Undefined while the file has none, as for a moment before another one is written. */
  async function address(): Promise<string | undefined> {
    const text = await readFile(file(), 'utf8');
    return /"ANTHROPIC_BASE_URL": "(http:\/\/127\.0\.0\.1:\d+)\/api"/.exec(text)?.[1];
  }

  it('writes its configuration, proves it by a call, and restores it byte for byte', async () => {
    const { notifications } = editor.workbench;
    await connect();
    await notifications.choose('Claude Code will use the gateway', 'Send Test Request');
    await notifications.waitFor('familya-haiku-4.5 answered a request with the key of Claude Code');
    assert.match(await readFile(file(), 'utf8'), /\/\/ mine/);
    assert.ok(await address());
    await disconnectClaudeCode();
    await notifications.waitFor('Claude Code no longer uses the gateway');
  });

  it('is one of the first steps, which are ticked off for what was done before they are opened', async () => {
    const { workbench, page } = editor;
    await connect();
    const steps = page.locator('.gettingStartedContainer');
    // Until it has read them the editor shows its own first steps instead.
    await retried(async () => {
      await workbench.runCommand('Model Access: Get Started');
      await steps.getByText('Get Started with Model Access').first().waitFor({ timeout: READING_MS });
    });
    for (const step of ['connect', 'tools']) {
      const done = steps.locator(`[data-done-step-id$="${step}"][aria-checked="true"]`);
      await done.first().waitFor({ state: 'attached' });
    }
    await workbench.runCommand('View: Close All Editors');
    await disconnectClaudeCode();
  });

  it('warns when the gateway starts at another address, and tells it to the tool', async () => {
    const { workbench } = editor;
    await connect();
    const earlier = await address();
    assert.ok(earlier);
    await workbench.runCommand('Model Access: Stop Gateway');
    await workbench.waitForStatusBar('modelAccess.gateway', 'Off');
    // The editor keeps a fourth message within 0.8 s out of sight.
    await workbench.clearNotifications();
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.gateway', /\d/);
    const warning = 'Claude Code still uses an earlier address.';
    await workbench.notifications.waitFor(warning);
    await editor.screenshot('tool with an earlier address');
    await workbench.notifications.choose(warning, 'Reconnect');
    await eventually('the new address', async () => ![undefined, earlier].includes(await address()));
    await disconnectClaudeCode();
  });

  it('adds aliases for the models that Codex asks for by names of its own, and removes them again', async () => {
    const { quickInput, notifications } = editor.workbench;
    const hasAliases = async () => (await editor.profileFilesWith('codex-auto-review', 'settings.json')).length > 0;
    await editor.workbench.runCommand('Model Access: Connect a Tool…');
    for (const name of ['Codex', 'familya-opus-4.6', 'No budget']) await quickInput.pickByName(name);
    await notifications.dialog.getByText('codex-auto-review: ').waitFor();
    await editor.screenshot('connect a tool with aliases');
    await notifications.dialog.getByRole('button', { name: 'Change File and Add Aliases' }).click();
    await notifications.waitFor('Codex will use the gateway');
    await eventually('the aliases', hasAliases);
    await disconnect('Codex');
    await eventually('no aliases', async () => !(await hasAliases()));
    assert.deepEqual(await readdir(codexHome.path), []);
  });
});
