/**
 * Packages the extension, installs it as a user would, and runs the suites of `test/e2e` on it.
 *
 *     npm run test:e2e -- [files and options of mocha]
 *
 * Without arguments, the suites that share `sandboxEditor` run in one process, and all others in a second one, because a
 * test often waits for its editor. The two take about the same time. Suites that share an editor run one after another.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { runMocha, runMochaTwofold } from './lib/mocha.ts';
import { ROOT, TEST_RESULTS } from './lib/paths.ts';

const FOLDER = 'test/e2e';
const EDITORS = ['sandboxEditor', 'freshEditor', 'freshSandboxEditor', 'openEditor'] as const;

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
    const { sandboxEditor = [], freshEditor = [], freshSandboxEditor = [], openEditor = [] } = await suites();
    const others = [...freshEditor, ...freshSandboxEditor, ...openEditor];
    await runMochaTwofold({ ...run, suites: sandboxEditor }, { ...run, suites: others });
  }
} finally {
  await extension.remove();
}

/** Returns the paths of the suites by the function with which they get their editor. */
async function suites(): Promise<Partial<Record<string, string[]>>> {
  const names = (await readdir(join(ROOT, FOLDER))).filter((name) => name.endsWith('.test.ts')).sort();
  const paths = names.map((name) => `${FOLDER}/${name}`);
  const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')));
  return Object.groupBy(paths, (path, index) => {
    const editor = EDITORS.find((name) => texts[index]?.includes(`${name}(`));
    if (editor === undefined) throw new Error(`${path} opens no editor.`);
    return editor;
  });
}
