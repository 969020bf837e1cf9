import type { RootHookObject } from 'mocha';
import { closeSharedBrowser } from '../sharedBrowser.ts';
import { stopSharedGallery } from './sharedGallery.ts';

/** Loaded by mocha before the suites of the panels. */
export const mochaHooks: RootHookObject = {
  async afterAll() {
    await closeSharedBrowser();
    await stopSharedGallery();
  },
};
