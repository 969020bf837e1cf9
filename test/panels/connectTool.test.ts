/** The page that connects a tool, in a plain browser. */
import assert from 'node:assert/strict';
import type { ConnectPageMessage } from '../../src/pages/connectTool/connectMessages.ts';
import { STATES } from '../gallery/connectTool/states.ts';
import { eventually } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const PANEL = { panel: 'connectTool' } as const;

describe('the page that connects a tool', () => {
  const shown = galleryForEach({ viewport: { width: 760, height: 900 } });

  const radio = (name: string) => shown.page.getByRole('radio', { name });
  const field = (name: string) => shown.page.getByRole('textbox', { name });
  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
  const posted = () => shown.page.evaluate<ConnectPageMessage[]>('posted');

  async function lastPosted<Type extends ConnectPageMessage['type']>(type: Type) {
    let found: ConnectPageMessage | undefined;
    await eventually(`a message of the type ${type}`, async () => {
      found = (await posted()).findLast((message) => message.type === type);
      return found !== undefined;
    });
    return found as Extract<ConnectPageMessage, { readonly type: Type }>;
  }

  it('starts with the first tool found and the model of the chat, and writes nothing', async () => {
    await shown.gallery.show('new', PANEL);
    assert.ok(await radio('Codex 0.169.0 ~/.codex/config.toml').isChecked());
    assert.equal(await shown.page.getByRole('combobox', { name: 'Model' }).inputValue(), 'familya-sonnet-4.6');
    await shown.page.getByText('4 installed').waitFor();
    await shown.page.getByText('The model in your current chat.').waitFor();
    await shown.page.getByText('Changes one file and creates the local key Codex.').waitFor();
    assert.deepEqual([...new Set((await posted()).map(({ type }) => type))], ['ready', 'preview']);
  });

  it('counts the changed lines and states what disconnecting restores', async () => {
    await shown.gallery.show('new', PANEL);
    await shown.page.getByText('Lines added: 7. Lines removed: 1.').waitFor();
    await shown.page.getByText('Everything else in the file stays as it is. Disconnecting restores line 1.').waitFor();
    await button('Copy Changes').click();
    assert.match((await lastPosted('copy')).text, /^−model = "gpt-5\.5"\n\+model = "familya-sonnet-4\.6"\n/);
    await button('Open File').click();
    assert.equal((await lastPosted('openFile')).tool, 'codex');
  });

  it('chooses nothing by itself if no tool was found', async () => {
    await shown.gallery.show('none', PANEL);
    await shown.page.getByText('Choose a tool to see what will change.').waitFor();
    assert.equal(await shown.page.getByRole('radio', { checked: true }).count(), 0);
    await shown.page.getByRole('radio', { name: 'aider' }).check();
    await button('Connect aider').waitFor();
  });

  it('keeps the values when another tool is selected, including with the keyboard', async () => {
    await shown.gallery.show('new', PANEL);
    await field('Budget').fill('5');
    await shown.page.getByRole('combobox', { name: 'Budget period' }).selectOption('daily');
    await radio('Codex').focus();
    await shown.page.keyboard.press('ArrowDown');
    assert.ok(await radio('Claude Code').isChecked());
    const { form } = await lastPosted('preview');
    assert.deepEqual([form.tool, form.name, form.budget, form.period], ['claude-code', 'Claude Code', '5', 'daily']);
  });

  it('shows the maximum cost of the check before sending it, if the model has prices', async () => {
    await shown.gallery.show('new', PANEL);
    const row = shown.page.locator('.check-row', { hasText: 'Model' });
    await row.getByText('one short request, at most ≈\u2009$0.0010').waitFor();
    await shown.page.getByRole('combobox', { name: 'Model' }).selectOption('familya-haiku-4.5');
    await row.getByText('one short request, at most ≈\u2009$0.0003').waitFor();
    await shown.page.getByRole('combobox', { name: 'Model' }).selectOption('familyc-5.4');
    await row.getByText('one short request', { exact: true }).waitFor();
  });

  it('lists tools that were not found in one line with links to their documentation', async () => {
    await shown.gallery.show('new', PANEL);
    const summary = shown.page.getByText('Not found on this computer: aider, Kilo Code, Zed');
    assert.equal(await radio('Kilo Code').isVisible(), false);
    await summary.click();
    await button('Kilo Code documentation').click();
    assert.equal((await lastPosted('openDocumentation')).tool, 'kilo-code');
    await radio('Kilo Code').click();
    await shown.page.getByText('creates the local key Kilo Code').or(button('Connect Kilo Code')).first().waitFor();
  });

  it('copies the fields of a tool without a file and masks the key until then', async () => {
    await shown.gallery.show('fields', PANEL);
    await shown.page.getByText('Creates the local key Cline and copies the fields.').waitFor();
    assert.match(await shown.page.locator('.code-box pre').innerText(), /API Key: key_•+\n/);
    await button('Connect Cline').click();
    await shown.page.getByText('Its fields were copied.').waitFor();
    await button('Copy With Key').click();
    assert.equal((await lastPosted('copySnippet')).tool, 'cline');
  });

  it('states that the key is copied if the file does not contain it', async () => {
    await shown.gallery.show('both', PANEL);
    await shown.page.getByText('The tool does not read its key from the file').waitFor();
    assert.match(await shown.page.locator('.code-box pre').innerText(), /^MODEL_ACCESS_API_KEY=key_•+$/);
    await shown.page.getByText('Changes one file and creates the local key Zed.').waitFor();
  });

  it('accepts a typed model name if no models are listed', async () => {
    await shown.gallery.show('unlisted', PANEL);
    await field('Model').fill('my-model');
    assert.equal((await lastPosted('preview')).form.model, 'my-model');
  });

  it('connects with Enter and then checks the connection', async () => {
    await shown.gallery.show('new', PANEL);
    await field('Session cap').fill('1');
    await field('Session cap').press('Enter');
    await shown.page.getByText('Codex is connected. familya-sonnet-4.6, $1 per session.').waitFor();
    assert.equal((await lastPosted('connect')).form.sessionDollars, '1');
    assert.equal((await lastPosted('check')).tool, 'codex');
    await button('Done').waitFor();
    await button('Disconnect Codex').click();
    await shown.page
      .getByText('Codex is disconnected: ~/.codex/config.toml is restored, and its local key was revoked.')
      .waitFor();
  });

  it('keeps the focus on the button after connecting', async () => {
    await shown.gallery.show('new', PANEL);
    await button('Connect Codex').focus();
    await shown.page.keyboard.press('Space');
    await button('Done').and(shown.page.locator(':focus')).waitFor();
  });

  it('offers to update a connected tool once a value has changed', async () => {
    await shown.gallery.show('connected', PANEL);
    await shown.page
      .getByText('Codex is connected. familya-sonnet-4.6, $10.00 per month, $1.00 per session.')
      .waitFor();
    assert.equal(await button('Update Codex').count(), 0);
    await field('Budget').fill('20');
    await button('Update Codex').waitFor();
    await field('Budget').fill('10.00');
    await button('Done').waitFor();
  });

  it('offers to start the gateway with the editor once a tool is connected, and says when it does', async () => {
    await shown.gallery.show('new', PANEL);
    assert.equal(await button('Start It With the Editor').count(), 0);
    await shown.gallery.show('connected', PANEL);
    await button('Start It With the Editor').click();
    await lastPosted('startWithEditor');
    const [state] = STATES.filter(({ name }) => name === 'connected').map((each) => each.state);
    await shown.page.evaluate(
      `tell(${JSON.stringify({ type: 'state', state: { ...state, startsWithEditor: true } })})`,
    );
    await shown.page.getByText('The gateway starts with the editor.').waitFor();
  });

  it('resets when the tool is disconnected elsewhere', async () => {
    await shown.gallery.show('connected', PANEL);
    await button('Done').waitFor();
    const [state] = STATES.filter(({ name }) => name === 'new').map((each) => each.state);
    await shown.page.evaluate(`tell(${JSON.stringify({ type: 'state', state })})`);
    await button('Connect Codex').waitFor();
    assert.equal(await field('Budget').inputValue(), '');
    assert.deepEqual((await lastPosted('preview')).form, state?.tools[0]?.form);
  });

  it('shows each step of the check with its figures and waits for the first request of the tool', async () => {
    await shown.gallery.show('connected', PANEL);
    const rows = shown.page.locator('.check-row');
    assert.deepEqual(await rows.locator('.figures').allInnerTexts(), [
      '4 ms',
      '6 ms',
      '31 in · 4 out · $0.0002 · 900 ms',
      '',
    ]);
    await rows.nth(3).getByText('waiting for its first request').waitFor();
    await button('Open Terminal').click();
    assert.equal((await lastPosted('openTerminal')).tool, 'codex');
    await button('Check Again').click();
    assert.equal((await lastPosted('check')).tool, 'codex');
    await shown.gallery.show('used', PANEL);
    await rows.nth(3).getByText('12.8k in · 212 out · $0.0418 · 2.1 s').waitFor();
    await shown.page.getByText('Sandbox: sample money').waitFor();
    await shown.gallery.show('failed', PANEL);
    await shown.page.locator('.check-row.failed').getByText('Raise the budget, and check again.').waitFor();
  });

  it('focuses the first invalid field and shows the reason below it', async () => {
    await shown.gallery.show('wrong', PANEL);
    await shown.page.getByText('A key named "aider" already exists.').waitFor();
    await field('Local key').and(shown.page.locator(':focus')).waitFor();
    assert.equal(await field('Budget').getAttribute('aria-invalid'), 'true');
  });

  it('does not connect a tool whose file cannot be read, and shows connection errors', async () => {
    await shown.gallery.show('unreadable', PANEL);
    await shown.page.getByText('Invalid TOML in line 3, column 9').waitFor();
    assert.equal(await button('Connect Codex').isDisabled(), true);
    await button('Connect Codex').click({ force: true });
    assert.ok((await posted()).every(({ type }) => type !== 'connect'));
    const before = (await posted()).length;
    await button('Read Again').click();
    assert.equal((await posted()).length, before + 1);
    await shown.gallery.show('refused', PANEL);
    await shown.page.getByRole('alert').getByText('EACCES').waitFor();
  });

  it('ignores a preview that was requested before the last change', async () => {
    await shown.gallery.show('new', PANEL);
    const { number } = await lastPosted('preview');
    const preview = { problems: {}, aliases: { late: 'alias' } };
    const tell = (of: number) =>
      shown.page.evaluate(`tell(${JSON.stringify({ type: 'preview', number: of, preview })})`);
    await tell(number - 1);
    assert.equal(await shown.page.getByText('late → alias').count(), 0);
    await tell(number);
    await shown.page.getByText('late → alias').waitFor();
  });

  it('fits a narrow editor with text at twice the size', async () => {
    await shown.page.setViewportSize({ width: 340, height: 700 });
    for (const state of ['new', 'connected', 'fields', 'wrong', 'unreadable']) {
      await shown.gallery.show(state, PANEL);
      assert.equal(await shown.page.evaluate<number>('document.documentElement.scrollWidth'), 340, state);
      await shown.page.evaluate("document.documentElement.style.setProperty('--vscode-font-size', '26px')");
      assert.equal(await shown.page.evaluate<number>('document.documentElement.scrollWidth'), 340, `${state}, larger`);
      await shown.page.evaluate("document.documentElement.style.removeProperty('--vscode-font-size')");
    }
  });
});
