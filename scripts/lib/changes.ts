import { glob } from 'node:fs/promises';
import { build } from 'esbuild';
import { ROOT } from './paths.ts';
import { run } from './processes.ts';

/** Returns the files that differ from where this branch left another one, including untracked files. */
export async function changedFiles(since: string): Promise<readonly string[]> {
  const base = (await run('git', ['merge-base', since, 'HEAD'], { cwd: ROOT })).trim();
  const differing = await run('git', ['diff', '--name-only', '--diff-filter=d', base], { cwd: ROOT });
  const unknown = await run('git', ['ls-files', '--others', '--exclude-standard'], { cwd: ROOT });
  return [...new Set(`${differing}${unknown}`.split('\n').filter((path) => path !== ''))];
}

/** Returns the files that have changed, or that import a changed file directly or indirectly. */
export async function reaching(changed: readonly string[], patterns: readonly string[]): Promise<readonly string[]> {
  const starts = (await Array.fromAsync(glob(patterns, { cwd: ROOT }))).map(withSlashes);
  const imports = await importsOf(starts);
  const targets = new Set(changed);
  return starts.filter((start) => reaches(start, targets, imports)).sort();
}

/** Returns the imports of each file. esbuild reads all of them in a second. */
async function importsOf(entryPoints: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entryPoints],
    outdir: 'unused',
    write: false,
    metafile: true,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['vscode'],
    loader: { '.css': 'empty', '.ttf': 'empty', '.woff2': 'empty', '.pem': 'empty', '.txt': 'text', '.md': 'text' },
    logLevel: 'error',
  });
  return new Map(Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports.map((one) => one.path)]));
}

function reaches(
  start: string,
  targets: ReadonlySet<string>,
  imports: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([start]);
  for (const path of seen) {
    if (targets.has(path)) return true;
    for (const next of imports.get(path) ?? []) seen.add(next);
  }
  return false;
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
