import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { CACHE, ROOT } from './paths.ts';

const SUITES = join(ROOT, 'test', 'host');
const OUTPUT = join(CACHE, 'host-tests');

/**
 * Bundles the suites that run inside the extension host, because older editors cannot run TypeScript.
 *
 * @returns the module with `run()`, which the editor calls.
 */
export async function bundleHostTests(): Promise<string> {
  await rm(OUTPUT, { recursive: true, force: true });
  const files = await readdir(SUITES, { recursive: true });
  const suites = files.filter((file) => file.endsWith('.test.ts')).map((file) => join(SUITES, file));
  if (suites.length === 0) throw new Error('There are no suites in test/host.');
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SUITES, 'index.ts'), ...suites],
    outdir: OUTPUT,
    outbase: SUITES,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode'],
    packages: 'external',
    logLevel: 'warning',
  });
  return join(OUTPUT, 'index.js');
}
