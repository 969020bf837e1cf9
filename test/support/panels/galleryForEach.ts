import type { Page } from 'playwright-core';
import { GalleryPage, type GalleryPageOptions } from './galleryPage.ts';

/** The page of the current test. */
export interface OpenGallery {
  readonly gallery: GalleryPage;
  readonly page: Page;
}

/** Opens a page before each test of the calling suite, and closes it after the test. */
export function galleryForEach(options?: GalleryPageOptions): OpenGallery {
  let gallery: GalleryPage | undefined;
  const opened = () => {
    if (gallery === undefined) throw new Error('The page is open in tests only.');
    return gallery;
  };
  beforeEach(async () => {
    gallery = await GalleryPage.open(options);
  });
  afterEach(async () => {
    await gallery?.close();
    gallery = undefined;
  });
  return {
    get gallery() {
      return opened();
    },
    get page() {
      return opened().page;
    },
  };
}
