/**
 * Packages the extension, installs it as a user would, and runs the suites of `test/e2e` on it.
 *
 *     npm run test:e2e -- [files and options of mocha]
 *
 * Without arguments, the suites that share the editor with the sandbox run in one process, and all others in a second
 * one, because a test often waits for its editor.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { runMocha, runMochaTwofold } from './lib/mocha.ts';
import { ROOT, TEST_RESULTS } from './lib/paths.ts';

const FOLDER = 'test/e2e';

for (const folder of ['screenshots', 'logs/e2e'])
  await rm(join(TEST_RESULTS, folder), { recursive: true, force: true });
const extension = await installPackagedExtension('modelExtension');
const run = {
  // Resources that a failed test left open must not keep the run from ending.
  options: ['--exit', '--require', 'test/support/editor/mochaHooks.ts', '--timeout', '300000'],
  env: { [EXTENSIONS_VARIABLE]: extension.path },
};
try {
  if (process.argv.length > 2) await runMocha({ ...run, suites: [`${FOLDER}/**/*.test.ts`] });
  else {
    const { onSandbox, others } = await suites();
    await runMochaTwofold({ ...run, suites: onSandbox }, { ...run, suites: others });
  }
} finally {
  await extension.remove();
}

/** Returns the paths of the suites by the editor that they use. */
async function suites(): Promise<{ readonly onSandbox: readonly string[]; readonly others: readonly string[] }> {
  const names = (await readdir(join(ROOT, FOLDER))).filter((name) => name.endsWith('.test.ts')).sort();
  const paths = names.map((name) => `${FOLDER}/${name}`);
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })),
  );
  const onSandbox = sources.filter(({ text }) => text.includes('sandboxEditor()')).map(({ path }) => path);
  return { onSandbox, others: paths.filter((path) => !onSandbox.includes(path)) };
}
