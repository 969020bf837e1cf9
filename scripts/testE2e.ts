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
const REPORTER = 'test/support/editor/triesReporter.cjs';
const TIMEOUT_MS = 600_000;

const given = process.argv.slice(2);

for (const folder of ['screenshots', 'logs/e2e'])
  await rm(join(TEST_RESULTS, folder), { recursive: true, force: true });
const extension = await installPackagedExtension('modelExtension');
const env = { ...process.env, [EXTENSIONS_VARIABLE]: extension.path };
try {
  await runSuites(given.some((argument) => argument.endsWith('.ts')) ? [] : ['test/e2e/**/*.test.ts']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await extension.remove();
}

function runSuites(suites: readonly string[]): Promise<string> {
  // What a failed test left open must not keep the run from ending, and ends with it. The editor loses a click or a key
  // of the browser's driver now and then, so a test has a second try.
  const options = [
    '--exit',
    '--retries',
    '1',
    '--reporter',
    REPORTER,
    '--require',
    HOOKS,
    '--timeout',
    String(TIMEOUT_MS),
  ];
  return runNode([MOCHA, ...options, ...given, ...suites], { cwd: ROOT, env, show: true });
}
