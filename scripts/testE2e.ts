/**
 * Packages the extension, installs it as a person would, and runs the suites of `test/e2e` on it.
 *
 *     npm run test:e2e -- [files and options of mocha]
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { packageFolder, ROOT, TEST_RESULTS } from './lib/paths.ts';
import { runNode } from './lib/processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');
const HOOKS = 'test/support/editor/mochaHooks.ts';
const TIMEOUT_MS = 90_000;

const given = process.argv.slice(2);
const files = given.some((argument) => argument.endsWith('.ts')) ? [] : ['test/e2e/**/*.test.ts'];

for (const folder of ['screenshots', 'logs/e2e'])
  await rm(join(TEST_RESULTS, folder), { recursive: true, force: true });
const extension = await installPackagedExtension();
try {
  // What a failed test left open must not keep the run from ending, and ends with it.
  await runNode([MOCHA, '--exit', '--require', HOOKS, '--timeout', String(TIMEOUT_MS), ...given, ...files], {
    cwd: ROOT,
    env: { ...process.env, [EXTENSIONS_VARIABLE]: extension.path },
    show: true,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await extension.remove();
}
