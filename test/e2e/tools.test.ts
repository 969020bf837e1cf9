import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectPageTab } from '../support/editor/connectPageTab.ts';
import type { Editor } from '../support/editor/editor.ts';
import { retried } from '../support/editor/retried.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const EARLIER = '{\n  // mine\n  "env": { "OTHER": "1" }\n}\n';

const MODEL = 'familya-haiku-4.5';
const OTHER_MODEL = 'familya-opus-4.6';
const READING_MS = 6000;

describe('connecting a tool', () => {
  let editor: Editor;

  before(async () => {
    editor = await freshSandboxEditor();
    for (const folder of [editor.toolsFolder, editor.codexFolder]) await mkdir(folder, { recursive: true });
  });
  after(() => editor.workbench.stopGateway());

  beforeEach(() => editor.workbench.clearNotifications());

  const file = () => join(editor.toolsFolder, 'settings.json');

  /** Opens the page, and waits until it shows the changes for a tool. */
  async function open(tool: string, model: string): Promise<ConnectPageTab> {
    await editor.workbench.runCommand('Model Access: Connect a Tool…');
    const page = new ConnectPageTab(editor.page);
    await page.tool(tool).or(page.others).first().waitFor();
    if (!(await page.tool(tool).isVisible())) await page.others.click();
    await page.tool(tool).click();
    await page.model.selectOption(model);
    await page.added.filter({ hasText: model }).first().waitFor();
    return page;
  }

  async function disconnectClaudeCode(): Promise<void> {
    // A message covers the buttons of the page until it goes by itself, after ten seconds.
    await editor.workbench.clearNotifications();
    await editor.workbench.runCommand('Model Access: Connect a Tool…');
    const page = new ConnectPageTab(editor.page);
    await page.tool('Claude Code').click();
    await page.button('Disconnect Claude Code').click();
    await page.frame
      .getByText(/Claude Code is disconnected: .+ is restored, and its local key was revoked\./)
      .waitFor();
    await eventuallyEqual(() => readFile(file(), 'utf8'), EARLIER);
    assert.deepEqual(await readdir(editor.toolsFolder), ['settings.json']);
  }

  /** Returns undefined if the file has no address, such as for a moment while it is replaced. */
  async function address(): Promise<string | undefined> {
    const text = await readFile(file(), 'utf8');
    return /"ANTHROPIC_BASE_URL": "(http:\/\/127\.0\.0\.1:\d+)\/api"/.exec(text)?.[1];
  }

  /** Sends the request that the tool itself would send. */
  async function askAsTool(): Promise<void> {
    const { env } = JSON.parse((await readFile(file(), 'utf8')).replace('// mine', '')) as {
      readonly env: Readonly<Record<string, string>>;
    };
    const answer = await fetch(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.ANTHROPIC_AUTH_TOKEN}`,
        'content-type': 'application/json',
        'user-agent': 'claude-cli/2.1.330',
      },
      body: JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'echo: hello' }] }),
    });
    assert.equal(answer.status, 200, await answer.text());
  }

  it('shows the changes without the key, writes them, checks the connection, and restores the file', async () => {
    await writeFile(file(), EARLIER);
    const page = await open('Claude Code', MODEL);
    await page.field('Budget').fill('5');
    await page.field('Session cap').fill('1');
    await page.frame.getByText('The gateway gets its port when it starts').waitFor();
    await page.added.filter({ hasText: '"ANTHROPIC_AUTH_TOKEN": "key_••••••••"' }).waitFor();
    await page.frame.getByText('Changes one file and creates the local key Claude Code.').waitFor();
    assert.equal(await readFile(file(), 'utf8'), EARLIER, 'nothing is written before');
    await editor.screenshot('connect a tool');
    await page.button('Open File').click();
    await editor.page.getByRole('tab', { name: 'settings.json' }).waitFor();
    await editor.page.getByRole('tab', { name: 'Connect a Tool' }).click();
    await page.frame.getByText('Changes one file and creates the local key Claude Code.').waitFor();
    // The form is kept while the page is hidden.
    await eventuallyEqual(() => page.field('Budget').inputValue(), '5');
    await page.button('Connect Claude Code').click();
    await page.frame
      .getByText(`Claude Code is connected. ${MODEL}, $5 per month, $1 per session. Restart it if it is running.`)
      .waitFor();
    for (const row of ['Gateway', 'Local key']) await page.passed(row).waitFor();
    await page
      .passed('Model')
      .filter({ hasText: /\d+ in · \d+ out · \$\d/ })
      .waitFor();
    await page.check('Claude Code').getByText('waiting for its first request').waitFor();
    assert.match(await readFile(file(), 'utf8'), /\/\/ mine/);
    assert.ok(await address());

    await askAsTool();
    await page.passed('Claude Code').getByText('has used the gateway').waitFor();
    await editor.screenshot('connected tool');
    const secret = /"ANTHROPIC_AUTH_TOKEN": "(key_[^"]+)"/.exec(await readFile(file(), 'utf8'))?.[1];
    assert.ok(secret);
    assert.ok(!(await page.frame.locator('html').innerHTML()).includes(secret), 'the page has the key');

    await disconnectClaudeCode();
  });

  describe('such as Claude Code, once it is connected', () => {
    before(async () => {
      await writeFile(file(), EARLIER);
      const page = await open('Claude Code', MODEL);
      await page.button('Connect Claude Code').click();
      await page.frame.getByText('Claude Code is connected.').waitFor();
      // A gateway that is being stopped waits for requests in progress.
      await page.passed('Model').waitFor();
    });
    after(disconnectClaudeCode);

    async function openConnected(): Promise<ConnectPageTab> {
      await editor.workbench.runCommand('Model Access: Connect a Tool…');
      const page = new ConnectPageTab(editor.page);
      await page.tool('Claude Code').click();
      await page.frame.getByText('Claude Code is connected.').waitFor();
      return page;
    }

    it('updates it with the same local key and shows its current values', async () => {
      const page = await openConnected();
      const secretOf = async () => /"ANTHROPIC_AUTH_TOKEN": "(key_[^"]+)"/.exec(await readFile(file(), 'utf8'))?.[1];
      const before = await secretOf();
      await page.model.selectOption(OTHER_MODEL);
      await page.field('Budget').fill('2.5');
      await page.button('Update Claude Code').click();
      await page.frame.getByText(`Claude Code is connected. ${OTHER_MODEL}, $2.5 per month.`).waitFor();
      await page.passed('Model').waitFor();
      assert.equal(await secretOf(), before);
      await page.close();
      await openConnected();
      await page.frame.getByText(`Claude Code is connected. ${OTHER_MODEL}, $2.5 per month.`).waitFor();
      await eventuallyEqual(() => page.field('Budget').inputValue(), '2.5');
    });

    it('completes walkthrough steps even before the walkthrough is opened', async () => {
      const { workbench, page } = editor;
      const steps = page.locator('.gettingStartedContainer');
      // Until the editor has read the steps, it shows its own walkthrough instead.
      await retried(async () => {
        await workbench.runCommand('Model Access: Get Started');
        await steps.getByText('Get Started with Model Access').first().waitFor({ timeout: READING_MS });
      });
      for (const step of ['connect', 'tools']) {
        const done = steps.locator(`[data-done-step-id$="${step}"][aria-checked="true"]`);
        await done.first().waitFor({ state: 'attached' });
      }
      await workbench.runCommand('View: Close All Editors');
    });

    it('warns if the gateway starts at another address, and updates the tool', async () => {
      const { workbench } = editor;
      const page = await openConnected();
      const earlier = await address();
      assert.ok(earlier);
      await workbench.runCommand('Model Access: Stop Gateway');
      await workbench.waitForGatewayOff();
      // The editor hides a fourth notification within 0.8 s.
      await workbench.clearNotifications();
      await workbench.runCommand('Model Access: Start Gateway');
      await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
      const warning = 'Claude Code still uses an earlier address.';
      await workbench.notifications.waitFor(warning);
      await editor.screenshot('tool with an earlier address');
      await page.button('Update Claude Code').waitFor();
      await workbench.notifications.choose(warning, 'Reconnect');
      await page.frame.getByText('Claude Code is connected.').waitFor();
      assert.ok(![undefined, earlier].includes(await address()));
    });
  });

  it('adds aliases for the model names that Codex always uses, and removes them again', async () => {
    const hasAliases = async () => (await editor.profileFilesWith('codex-auto-review', 'settings.json')).length > 0;
    const page = await open('Codex', 'familya-opus-4.6');
    await page.frame
      .getByRole('checkbox', { name: 'Add aliases for the model names that Codex always uses' })
      .waitFor();
    await page.frame.getByText('codex-auto-review → ').waitFor();
    await editor.screenshot('connect a tool with aliases');
    await page.button('Connect Codex').click();
    await page.frame.getByText('Codex is connected.').waitFor();
    await eventually('the aliases', hasAliases);
    await page.passed('Model').waitFor();
    const view = new SideView(editor.page, editor.workbench, 'Gateway');
    await view.show();
    const disconnected = editor.workbench.notifications.with('Codex no longer uses the gateway');
    await view.chooseFor(disconnected, /Codex\s*with the key/, 'Disconnect Codex');
    await eventually('no aliases', async () => !(await hasAliases()));
    assert.deepEqual(await readdir(editor.codexFolder), []);
  });
});
