import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBuild, checkPackage } from './budgets.ts';
import { buildBundles } from './bundles.ts';
import { DIST, packageFolder, ROOT } from './paths.ts';
import { runNode } from './processes.ts';
import { step } from './progress.ts';

const VSCE = join(packageFolder('@vscode/vsce'), 'vsce');

/** Builds for production and checks the sizes. */
export async function buildForProduction(): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  checkBuild(await step('Building', () => buildBundles()));
}

/**
 * Builds and packages the extension.
 *
 * @returns the path of the `.vsix` file.
 */
export async function packageExtension(): Promise<string> {
  await buildForProduction();
  const { name, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  const file = join(DIST, `${name}-${version}.vsix`);
  await mkdir(DIST, { recursive: true });
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  await step('Packaging', () => runNode([VSCE, 'package', ...options, '--out', file], { cwd: ROOT }));
  await checkPackage(file);
  return file;
}

/** @returns the paths of the files that the package holds, as vsce lists them. */
export function listPackagedFiles(): Promise<string> {
  return runNode([VSCE, 'ls', '--no-dependencies'], { cwd: ROOT });
}
