/**
 * Packages the extension, installs it as a person would, and runs the suites of `test/e2e` on it: all of them in two
 * processes at once, since an editor leaves a core idle most of the time; given ones in one.
 *
 *     npm run test:e2e -- [files and options of mocha]
 */
import { glob, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { shareOut } from './lib/lanes.ts';
import { packageFolder, ROOT, TEST_RESULTS } from './lib/paths.ts';
import { type RunOptions, runNode } from './lib/processes.ts';

const MOCHA = join(packageFolder('mocha'), 'bin', 'mocha.js');
const HOOKS = 'test/support/editor/mochaHooks.ts';
const REPORTER = 'test/support/editor/triesReporter.cjs';
const TIMEOUT_MS = 600_000;
const LANES = 2;
const LOGS = join(TEST_RESULTS, 'logs', 'e2e');

const given = process.argv.slice(2);

for (const folder of [join(TEST_RESULTS, 'screenshots'), LOGS]) await rm(folder, { recursive: true, force: true });
await mkdir(LOGS, { recursive: true });
const extension = await installPackagedExtension();
const env = { ...process.env, [EXTENSIONS_VARIABLE]: extension.path };
try {
  if (given.some((argument) => argument.endsWith('.ts'))) await runSuites([]);
  else await runLanes(await shareOut(await Array.fromAsync(glob(join(ROOT, 'test/e2e/**/*.test.ts'))), LANES));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await extension.remove();
}

/** Shows the report of the first lane as it comes, and that of each other one when all have ended. */
async function runLanes([first = [], ...others]: readonly (readonly string[])[]): Promise<void> {
  const reports = others.map((_, index) => join(LOGS, `lane-${index + 2}.log`));
  const ended = await Promise.allSettled([
    runSuites(first),
    ...others.map((suites, index) => runReported(suites, reports[index] ?? '')),
  ]);
  for (const report of reports) console.log(await readFile(report, 'utf8'));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

async function runReported(suites: readonly string[], report: string): Promise<void> {
  const file = await open(report, 'w');
  try {
    await runSuites(suites, file.fd);
  } finally {
    await file.close();
  }
}

function runSuites(suites: readonly string[], show: RunOptions['show'] = true): Promise<string> {
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
  return runNode([MOCHA, ...options, ...given, ...suites], { cwd: ROOT, env, show });
}
