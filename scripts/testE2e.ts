/**
 * Packages the extension, installs it as a user would, and runs the suites of `test/e2e` on it.
 *
 *     npm run test:e2e -- [files and options of mocha]
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { runMocha } from './lib/mocha.ts';
import { TEST_RESULTS } from './lib/paths.ts';

for (const folder of ['screenshots', 'logs/e2e'])
  await rm(join(TEST_RESULTS, folder), { recursive: true, force: true });
const extension = await installPackagedExtension('modelExtension');
try {
  await runMocha({
    suites: 'test/e2e/**/*.test.ts',
    // Resources that a failed test left open must not keep the run from ending.
    options: ['--exit', '--require', 'test/support/editor/mochaHooks.ts', '--timeout', '300000'],
    env: { [EXTENSIONS_VARIABLE]: extension.path },
  });
} finally {
  await extension.remove();
}
