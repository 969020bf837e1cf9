/** The page that creates a local key, in a plain browser. */
import assert from 'node:assert/strict';
import { eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

const PANEL = { panel: 'localKey' } as const;

describe('the page that creates a local key', () => {
  const shown = galleryForEach({ viewport: { width: 760, height: 900 } });

  const summary = () => shown.page.locator('.summary');
  const create = () => shown.page.getByRole('button', { name: 'Create Local Key' });

  it('focuses the name first and warns that a key without limits has none', async () => {
    await shown.gallery.show('empty', PANEL);
    await shown.page.getByRole('textbox', { name: 'Name', exact: true }).and(shown.page.locator(':focus')).waitFor();
    await summary().getByText('The key can spend without limit on all models.').waitFor();
    await summary().locator('.codicon-warning').waitFor();
  });

  it('summarizes the fields in sentences', async () => {
    await shown.gallery.show('empty', PANEL);
    await shown.page.keyboard.type('ci-bot');
    await shown.page.getByRole('textbox', { name: 'Each day' }).fill('2.00');
    await shown.page.getByRole('textbox', { name: 'In total' }).fill('50');
    await shown.page.getByText('Requests, tokens, and dollars per session').click();
    await shown.page.getByRole('textbox', { name: 'Requests per minute' }).fill('30');
    await shown.page.getByRole('textbox', { name: 'Dollars per session' }).fill('1');
    await shown.page.getByText('Only these').click();
    await shown.page.getByRole('checkbox', { name: 'familya-haiku-4.5' }).check();
    await shown.page.getByText('In 30 days').click();
    await summary()
      .getByText(
        'ci-bot can spend $2.00 per day and $50.00 in total on familya-haiku-4.5. It can send 30 requests per minute. A session can spend $1.00. It expires in 30 days.',
      )
      .waitFor();
    assert.equal(await summary().locator('.codicon-warning').count(), 0);
    await shown.page.getByText('1 of 8').waitFor();
  });

  it('says what happens to secrets in requests of the key', async () => {
    await shown.gallery.show('empty', PANEL);
    await shown.page.getByText('Seal', { exact: true }).click();
    await summary()
      .getByText('Secrets in its requests are replaced before they are sent, and restored in answers.')
      .waitFor();
  });

  it('folds the limits until one is set, and waits with the summary for a number', async () => {
    await shown.gallery.show('empty', PANEL);
    const requests = shown.page.getByRole('textbox', { name: 'Requests per minute' });
    assert.equal(await requests.isVisible(), false);
    await shown.page.getByRole('textbox', { name: 'Each day' }).fill('five');
    await summary().getByText('What the key can do is shown here once all amounts are numbers.').waitFor();
    await shown.page.getByRole('textbox', { name: 'Each day' }).fill('5');
    await summary().getByText('The key can spend $5.00 per day on all models.').waitFor();
    await shown.page.getByRole('textbox', { name: 'Each day' }).fill('1,50');
    await summary().getByText('The key can spend $1.50 per day on all models.').waitFor();
    await shown.gallery.show('filled', PANEL);
    await requests.waitFor();
  });

  it('lowers output limits unless that is switched off', async () => {
    await shown.gallery.show('filled', PANEL);
    const lowers = shown.page.getByRole('checkbox', { name: 'Lower output limits to what the budgets cover' });
    assert.equal(await lowers.isChecked(), true);
    await lowers.uncheck();
    await create().click();
    const posted = () => shown.page.evaluate<{ type: string; form?: { lowersLimits: boolean } }[]>('posted');
    await eventuallyEqual(
      async () => (await posted()).find(({ type }) => type === 'create')?.form?.lowersLimits,
      false,
    );
  });

  it('shows each error below its field', async () => {
    await shown.gallery.show('wrong', PANEL);
    const name = shown.page.getByRole('textbox', { name: 'Name', exact: true });
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await shown.page.getByText('A key named "ci-bot" already exists.').waitFor();
    await shown.page.getByText('Name at least one model').waitFor();
  });

  it('creates the key with Enter, shows its secret once, and offers to copy it', async () => {
    await shown.gallery.show('filled', PANEL);
    assert.match(await shown.page.locator('.snippet pre').innerText(), /key_•+"/);
    await shown.page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
    await shown.page.getByText('The local key “ci-bot” was created.').waitFor();
    assert.match(await shown.page.locator('.snippet pre').innerText(), /"key_sample"/);
    await shown.page.getByRole('button', { name: 'Copy Key' }).and(shown.page.locator(':focus')).press('Enter');
    const posted = () => shown.page.evaluate<{ type: string; text?: string }[]>('posted');
    await eventuallyEqual(async () => (await posted()).at(-1), { type: 'copy', text: 'key_sample' });
    assert.equal(await create().count(), 0);
  });

  it('becomes a settings page after the key is created, where its fields are changed and saved', async () => {
    await shown.gallery.show('created', PANEL);
    const save = shown.page.getByRole('button', { name: 'Save Changes' });
    const copy = shown.page.getByRole('button', { name: 'Copy Key' });
    await copy.and(shown.page.locator('.primary')).waitFor();
    assert.equal(await save.count(), 0);
    await shown.page.getByRole('textbox', { name: 'Each day' }).fill('5');
    await save.and(shown.page.locator('.primary')).waitFor();
    await copy.and(shown.page.locator(':not(.primary)')).waitFor();
    await shown.page.getByRole('textbox', { name: 'Each day' }).press('Enter');
    await shown.page.getByText('The local key “ci-bot” was changed.').waitFor();
    await save.waitFor({ state: 'detached' });
    const posted = await shown.page.evaluate<{ type: string; id?: string; form?: { budgets: object } }[]>('posted');
    const change = posted.find(({ type }) => type === 'change');
    assert.equal(change?.id, 'k1');
    assert.deepEqual(change?.form?.budgets, { daily: '5', monthly: '20.00', total: '' });
  });

  it('changes an existing key, begins with its budgets, and says which of them it does not show', async () => {
    await shown.gallery.show('existing', PANEL);
    await shown.page.getByRole('heading', { name: 'Local key “ci-bot”' }).waitFor();
    await shown.page.locator('#daily:focus').waitFor();
    await shown.page.getByText('200,000 tokens in total, which stays').waitFor();
    assert.equal(await shown.page.getByText('key_').count(), 0);
    await shown.page.keyboard.type('3');
    await shown.page.keyboard.press('Enter');
    await shown.page.getByText('The local key “ci-bot” was changed.').waitFor();
    await shown.page.getByRole('button', { name: 'Copy Key' }).click();
  });

  it('fits a narrow editor', async () => {
    await shown.page.setViewportSize({ width: 300, height: 700 });
    for (const state of ['filled', 'wrong', 'created']) {
      await shown.gallery.show(state, PANEL);
      assert.equal(await shown.page.evaluate<number>('document.documentElement.scrollWidth'), 300, state);
    }
  });
});
