import assert from 'node:assert/strict';
import { GalleryPage } from '../support/panels/galleryPage.ts';

describe('what a request consists of, in the details of Traffic', () => {
  let gallery: GalleryPage;
  afterEach(() => gallery.close());

  it('is one bar with the tokens and the cost of each kind, in the order of the prompt', async () => {
    gallery = await GalleryPage.open({ viewport: { width: 1000, height: 900 } });
    await gallery.show('context', { panel: 'traffic' });
    const legend = gallery.page.locator('.context-legend li');
    await legend.first().waitFor();
    assert.deepEqual(await legend.allTextContents(), [
      'tool definitions 11.4k, $0.0034',
      'system prompt 4.5k, $0.0014',
      'messages 400, $0.0015',
      'results of tools 1.2k, $0.0045',
    ]);
    assert.equal(await gallery.page.locator('.context-bar > i').count(), 4);
  });
});
