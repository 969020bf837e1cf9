/**
 * Runs the suites of `test/host` in the desktop editor, which is downloaded once if it is missing.
 *
 *     npm run test:desktop -- [--version VERSION] [--grep PATTERN]
 *
 * `VSCODE_PATH` names the executable of an installed editor. On Linux it needs a display.
 */
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { bundleHostTests } from './lib/hostTests.ts';
import { CACHE, ROOT } from './lib/paths.ts';
import { copySampleWorkspace } from './lib/sampleWorkspace.ts';
import { temporaryFolder } from './lib/temporaryFolder.ts';
import { buildForProduction } from './lib/vsix.ts';

const { values } = parseArgs({ options: { version: { type: 'string', default: 'stable' }, grep: { type: 'string' } } });
const installed = process.env.VSCODE_PATH;

await buildForProduction();
const profile = await temporaryFolder();
try {
  const workspace = await copySampleWorkspace(profile.path);
  process.exitCode = await runTests({
    cachePath: CACHE,
    ...(installed ? { vscodeExecutablePath: installed } : { version: values.version }),
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: await bundleHostTests(),
    extensionTestsEnv: {
      ...(values.grep !== undefined && { MODEL_ACCESS_TEST_GREP: values.grep }),
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    },
    launchArgs: [workspace, '--user-data-dir', profile.path, '--disable-extensions', '--disable-workspace-trust'],
  });
} finally {
  await profile.remove();
}
