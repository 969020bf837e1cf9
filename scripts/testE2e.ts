/**
 * Packages the extension, installs it as a person would, and runs the suites of `test/e2e` on it.
 *
 *     npm run test:e2e -- [files and options of mocha]
 */
import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { packageFolder, ROOT, TEST_RESULTS } from './lib/paths.ts';
import { runNode } from './lib/processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');
const HOOKS = 'test/support/editor/mochaHooks.ts';
const TIMEOUT_MS = 180_000;

const given = process.argv.slice(2);

for (const folder of ['screenshots', 'logs/e2e'])
  await rm(join(TEST_RESULTS, folder), { recursive: true, force: true });
const extension = await installPackagedExtension();
const env = { ...process.env, [EXTENSIONS_VARIABLE]: extension.path };
try {
  if (given.some((argument) => argument.endsWith('.ts'))) await runSuites([]);
  else await runHalves();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await extension.remove();
}

/** An editor mostly waits, so two runs at once take little more than one of them. The second is shown after the first. */
async function runHalves(): Promise<void> {
  const suites = (await Array.fromAsync(glob('test/e2e/**/*.test.ts', { cwd: ROOT }))).sort();
  const half = (remainder: number) => suites.filter((_, index) => index % 2 === remainder);
  const second = runSuites(half(1), false);
  const results = await Promise.allSettled([runSuites(half(0)), second]);
  if (results[1].status === 'fulfilled') console.log(results[1].value);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw new Error(failures.map(String).join('\n'));
}

function runSuites(suites: readonly string[], show = true): Promise<string> {
  // What a failed test left open must not keep the run from ending, and ends with it.
  const options = ['--exit', '--require', HOOKS, '--timeout', String(TIMEOUT_MS)];
  return runNode([MOCHA, ...options, ...given, ...suites], { cwd: ROOT, env, show });
}
