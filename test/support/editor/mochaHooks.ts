import type { RootHookObject } from 'mocha';
import { stopSharedGallery } from '../panels/sharedGallery.ts';
import { closeSharedBrowser } from '../sharedBrowser.ts';
import { openEditors } from './editor.ts';
import { LOGS } from './editorLogs.ts';
import { findKeys } from './leakedKeys.ts';

/**
 * Loaded by mocha before the end-to-end suites: keeps what every window shows when a test fails, cleans up, and at
 * the end of the run searches all logs for keys.
 */
export const mochaHooks: RootHookObject = {
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test === undefined || test.isPending() || test.state === 'passed') return;
    for (const editor of openEditors()) {
      console.log(await editor.keepEvidence(`failed ${editor.name} ${test.fullTitle()}`));
      await editor.workbench.clear();
    }
  },
  async afterAll() {
    for (const editor of openEditors()) {
      await editor.close();
    }
    await closeSharedBrowser();
    await stopSharedGallery();
    const leaks = await findKeys(LOGS);
    if (leaks.length > 0) throw new Error(`Keys in the logs of this run:\n${leaks.join('\n')}`);
  },
};
