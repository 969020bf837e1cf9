import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBuild, checkPackage } from './budgets.ts';
import { buildBundles } from './bundles.ts';
import { thirdPartyNotices, VOCABULARY_PACKAGE } from './notices.ts';
import { DIST, packageFolder, ROOT } from './paths.ts';
import { runNode } from './processes.ts';
import { step } from './progress.ts';
import { PLACEHOLDER, type ReleaseManifest, releaseOf, repositoryOf } from './release/release.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const VSCE = join(packageFolder('@vscode/vsce'), 'vsce');
const PACKED_FILES = '.vscodeignore';

/** Set to `yes` by a run of several stages, of which an earlier one has built the same sources. */
export const BUILT_VARIABLE = 'MODEL_ACCESS_BUILT';

/** Builds for production and checks the sizes. */
export async function buildForProduction(): Promise<void> {
  if (process.env[BUILT_VARIABLE] === 'yes') return;
  await rm(DIST, { recursive: true, force: true });
  const metafiles = await step('Building', () => buildBundles());
  checkBuild(metafiles);
  const shipped = [VOCABULARY_PACKAGE, packageFolder('@vscode/codicons')];
  await writeFile(join(DIST, 'ThirdPartyNotices.txt'), await thirdPartyNotices(metafiles, shipped));
}

export interface PackageOptions {
  /** Marks the package for the pre-release channel. */
  readonly isPreRelease?: boolean;
}

/**
 * Builds and packages the extension.
 *
 * @returns the path of the `.vsix` file.
 */
export async function packageExtension({ isPreRelease = false }: PackageOptions = {}): Promise<string> {
  await buildForProduction();
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as ReleaseManifest & { name: string };
  const file = join(DIST, `${manifest.name}-${manifest.version}.vsix`);
  await mkdir(DIST, { recursive: true });
  const options = [...linkOptions(manifest), ...(isPreRelease ? ['--pre-release'] : [])];
  await step('Packaging', () => runVsce(['package', ...options, '--out', file]));
  await checkPackage(file);
  return file;
}

/**
 * Links and pictures in the README refer to the repository at the commit of the release, once there is a repository.
 */
function linkOptions(manifest: ReleaseManifest): readonly string[] {
  if (repositoryOf(manifest) === PLACEHOLDER) return ['--no-rewrite-relative-links'];
  return ['--githubBranch', releaseOf(manifest.version).tag];
}

/** @returns the paths of the files in the package, as listed by vsce. */
export function listPackagedFiles(): Promise<string> {
  return runVsce(['ls', '--no-dependencies']);
}

/**
 * Runs vsce in a folder with only the files and folders that the allow-list in `.vscodeignore` names. In the project's
 * folder it would compile each pattern for each file, including those of the editor in `.vscode-test`, for 12 s.
 */
async function runVsce(options: readonly string[]): Promise<string> {
  const allowed = (await readFile(join(ROOT, PACKED_FILES), 'utf8')).matchAll(/^!([^/\n]+)/gm);
  const tops = Array.from(allowed, ([, top = '']) => top);
  const folder = await temporaryFolder();
  try {
    for await (const name of glob([PACKED_FILES, ...new Set(tops)], { cwd: ROOT })) {
      await cp(join(ROOT, name), join(folder.path, name), { recursive: true });
    }
    return await runNode([VSCE, ...options], { cwd: folder.path });
  } finally {
    await folder.remove();
  }
}
