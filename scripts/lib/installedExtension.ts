import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installExtension } from './editorHost.ts';
import { ROOT } from './paths.ts';
import { step } from './progress.ts';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder.ts';
import { packageExtension } from './vsix.ts';

/** The environment variable with the path of the folder, which the tests' page objects read. */
export const EXTENSIONS_VARIABLE = 'MODEL_ACCESS_EXTENSIONS';

const FIXTURES = join(ROOT, 'test', 'fixtures');
const DRIVER = join(FIXTURES, 'editorDriver');

/**
 * Builds, packages, and installs the extension as a user would, for any number of editors to load it, together with the
 * extension by which tests control a window.
 *
 * @param others names of other folders in `test/fixtures` with an extension that needs no build.
 */
export async function installPackagedExtension(
  ...others: readonly string[]
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const vsix = await packageExtension();
  const folder: TemporaryFolder = await temporaryFolder();
  const path = join(folder.path, 'extensions');
  await step('Installing the extension', () => installExtension(vsix, path, join(folder.path, 'user')));
  for (const extension of [DRIVER, ...others.map((name) => join(FIXTURES, name))]) {
    await cp(extension, join(path, basename(extension)), { recursive: true });
  }
  // The editor's list of installed extensions, which it creates again from the folders.
  await rm(join(path, 'extensions.json'), { force: true });
  return { path, remove: () => folder.remove() };
}
