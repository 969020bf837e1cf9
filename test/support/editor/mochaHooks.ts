import type { RootHookObject } from 'mocha';
import { within } from '../eventually.ts';
import { stopSharedGallery } from '../panels/sharedGallery.ts';
import { closeSharedBrowser } from '../sharedBrowser.ts';
import { openEditors } from './editor.ts';
import { LOGS } from './editorLogs.ts';
import { findKeys } from './leakedKeys.ts';

/** So many failures have one cause, such as an editor that no longer answers, for which each test would wait again. */
const MAX_FAILURES = 10;
const MANY_FAILED = `${MAX_FAILURES} tests have failed, so the others are not run.`;
/** An editor that takes longer to be cleared or closed hangs. */
const MAX_CLEARING_MS = 90_000;
let failures = 0;

/**
 * Loaded by mocha before the end-to-end suites: keeps what every window shows when a test fails, cleans up, and at
 * the end of the run searches all logs for keys.
 */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Mocha.Context) {
    for (const hook of hooksIn(this.test?.parent)) {
      const { fn } = hook;
      // A suite whose preparation fails ends without the hook below.
      hook.fn = async function (this: Mocha.Context) {
        // An error of this hook ends only its suite.
        if (failures >= MAX_FAILURES) throw new Error(MANY_FAILED);
        try {
          await (fn as Mocha.AsyncFunc).call(this);
        } catch (error) {
          failures += 1;
          await keepEvidence(hook.fullTitle(), error);
          throw error;
        }
      };
    }
  },
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test === undefined || test.isPending() || test.state === 'passed') return;
    await keepEvidence(test.fullTitle(), test.err);
    failures += 1;
    // An error of this hook ends the run.
    if (failures >= MAX_FAILURES) throw new Error(MANY_FAILED);
    for (const editor of openEditors()) {
      await within(MAX_CLEARING_MS, editor.workbench.clear()).catch((cause) => {
        throw new Error(`The editor no longer works, so the other tests are not run: ${cause.message}`, { cause });
      });
    }
  },
  async afterAll() {
    for (const editor of openEditors()) await within(MAX_CLEARING_MS, editor.close());
    await closeSharedBrowser();
    await stopSharedGallery();
    const leaks = await findKeys(LOGS);
    if (leaks.length > 0) throw new Error(`Keys in the logs of this run:\n${leaks.join('\n')}`);
  },
};

/** Adds what the windows show to the error, because the summary of a run has the errors only. */
async function keepEvidence(title: string, error: unknown): Promise<void> {
  for (const editor of openEditors()) {
    const shown = await editor.keepEvidence(`failed ${editor.name} ${title}`);
    if (error instanceof Error) error.stack += `\n${shown}`;
    else console.log(shown);
  }
}

/** The hooks that prepare a suite and those in it. */
function hooksIn(suite: Mocha.Suite | undefined): readonly Mocha.Hook[] {
  if (suite === undefined) return [];
  // Mocha has no public list of them.
  const { _beforeAll: own = [] } = suite as unknown as { readonly _beforeAll?: readonly Mocha.Hook[] };
  return [...own, ...suite.suites.flatMap(hooksIn)];
}
