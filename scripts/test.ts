/**
 * Runs everything that CI runs, in three rows of stages side by side.
 *
 *     npm test                   all stages
 *     npm test -- unit panels    these stages only
 *     npm test -- --changed      what the changes since `main` can break, in about a minute and without the editor;
 *                                `--since COMMIT` compares with another commit
 *
 * The output of a stage is shown when it has ended. At the end, prints the duration of all stages, and how many tests
 * have passed and failed.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, reaching } from './lib/changes.ts';
import { GALLERY_VARIABLE } from './lib/galleryServer.ts';
import { TEST_RESULTS } from './lib/paths.ts';
import { runStages, type Stage } from './lib/stages.ts';
import { BUILT_VARIABLE } from './lib/vsix.ts';

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean', default: false }, since: { type: 'string', default: 'main' } },
  allowPositionals: true,
});

/**
 * Where the processes of a run keep what Node has compiled. Without it, each gateway that a test starts from its
 * sources needs half a second to remove their types, and each extension host starts with a fifth more work. Emptied
 * before a run, because copies of the sources in temporary folders are kept, too.
 */
const COMPILED = join(TEST_RESULTS, 'compiled');
const SHARES_COMPILED = { NODE_COMPILE_CACHE: COMPILED };

/** Where the first stage that shows the gallery leaves its build for the next one. */
const GALLERY = join(TEST_RESULTS, 'gallery');
const SHARES_GALLERY = { [GALLERY_VARIABLE]: GALLERY };

/** Lets the type checker, a Go program, collect its garbage less often: which takes a tenth more memory. */
const FAST_CHECKER = { GOGC: '400' };

/** Both stages of the editor use its result. */
const BUILD: Stage = { name: 'build', script: 'build' };
const SHARES_BUILD = { ...SHARES_COMPILED, [BUILT_VARIABLE]: 'yes' };

/**
 * Each row begins with suites that drive one page or editor, and so wait for it. The last row takes longest: it ends with
 * what uses both cores, which the rows that end earlier leave to it.
 */
const ROWS: readonly (readonly Stage[])[] = [
  [
    { name: 'e2e', script: 'test:e2e', env: SHARES_BUILD },
    { name: 'lint', script: 'check:lint' },
    { name: 'imports', script: 'check:imports' },
    { name: 'unused', script: 'check:unused' },
    { name: 'strings', script: 'check:strings' },
    { name: 'names', script: 'check:names' },
    { name: 'order', script: 'check:order' },
    { name: 'types', script: 'check:types', env: FAST_CHECKER },
  ],
  [
    { name: 'panels', script: 'test:panels', env: SHARES_GALLERY },
    { name: 'visual', script: 'test:visual', env: SHARES_GALLERY },
    { name: 'agents', script: 'test:agents', env: SHARES_COMPILED },
  ],
  [
    { name: 'host', script: 'test:host', env: SHARES_BUILD },
    { name: 'interop', script: 'test:interop', options: ['--jobs', '3'], env: SHARES_COMPILED },
    // Each process loads most of the sources.
    { name: 'unit', script: 'test:unit', options: ['--jobs', '3'], env: SHARES_COMPILED },
  ],
];

/** Suites that check every state of a panel. */
const LONG_SUITES = 'in every state|sees where the focus is';

for (const folder of [COMPILED, GALLERY]) await rm(folder, { recursive: true, force: true });
if (values.changed) await runChanged(values.since);
else {
  const rows = ROWS.map((stages) => stages.filter(({ name }) => isChosen(name)));
  await runStages(rows, isChosen('e2e') || isChosen('host') ? [BUILD] : []);
}

function isChosen(name: string): boolean {
  return positionals.length === 0 || positionals.includes(name);
}

/**
 * Runs types and lint, and the tests in Node and in the plain browser that import a changed file directly or
 * indirectly.
 */
async function runChanged(since: string): Promise<void> {
  const changed = await changedFiles(since);
  const unit = await reaching(changed, ['test/unit/**/*.test.ts', 'test/interop/**/*.test.ts']);
  const panels = await suitesOfPanels(changed);
  const sources = changed.filter((path) => /\.(?:ts|tsx|cjs|json)$/.test(path));
  console.log(`${changed.length} changed files, which ${unit.length + panels.length} files of tests reach.`);
  const checks: Stage[] = [{ name: 'types', script: 'check:types', env: FAST_CHECKER }];
  if (sources.length > 0) {
    checks.push({ name: 'lint', command: ['biome', 'check', '--error-on-warnings', ...sources] });
  }
  const tests: Stage[] = [];
  if (unit.length > 0)
    tests.push({ name: 'unit', command: ['mocha', '--parallel', '--jobs', '2', ...unit], env: SHARES_COMPILED });
  if (panels.length > 0) {
    tests.push({ name: 'panels', script: 'test:panels', options: [...panels, '--grep', LONG_SUITES, '--invert'] });
  }
  await runStages([checks, tests]);
}

/** Returns the suites of panels. They load the build of the gallery's entry points, which their imports do not show. */
async function suitesOfPanels(changed: readonly string[]): Promise<readonly string[]> {
  const suites = await reaching(changed, ['test/panels/**/*.test.ts']);
  const panels = await reaching(changed, ['test/gallery/*/main.tsx']);
  const names = panels.flatMap((entry) => (entry.includes('/chat/') ? ['chat', 'chatKeys', 'chatReaders'] : ['tabs']));
  return [...new Set([...suites, ...names.map((name) => `test/panels/${name}.test.ts`)])];
}
