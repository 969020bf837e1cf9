import assert from 'node:assert/strict';
import { GalleryPage } from '../support/panels/galleryPage.ts';

describe('what fills contexts, in the Usage view', () => {
  let gallery: GalleryPage;
  afterEach(() => gallery.close());

  it('is added up by server, by tool, and by client', async () => {
    gallery = await GalleryPage.open({ viewport: { width: 1000, height: 900 } });
    await gallery.show('contexts', { panel: 'usage' });
    const rows = gallery.page.getByRole('table', { name: 'Parts of contexts' }).locator('tbody tr');
    const cellsOf = async (part: string) =>
      (await rows.filter({ hasText: part }).locator('td').allTextContents()).map((text) => text.trim());
    const groups = gallery.page.getByRole('group', { name: 'Group by' });
    await rows.first().waitFor();
    assert.deepEqual(await cellsOf('github'), ['640', '2', '5.1M', '$3.10']);
    await groups.getByRole('button', { name: 'Tool' }).click();
    assert.deepEqual(await cellsOf('create_issue'), ['640', '2', '3.1M', '$1.90']);
    await groups.getByRole('button', { name: 'Client' }).click();
    assert.deepEqual(await cellsOf('codex_exec'), ['90', '–', '400k', '$0.20']);
  });
});
