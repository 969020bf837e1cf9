import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installExtension } from './editorHost.ts';
import { step } from './progress.ts';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder.ts';
import { packageExtension } from './vsix.ts';

/** The variable in which the page objects of the tests look for the folder. */
export const EXTENSIONS_VARIABLE = 'MODEL_ACCESS_EXTENSIONS';

/** Builds, packages and installs the extension as a person would, for any number of editors to load it from there. */
export async function installPackagedExtension(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const vsix = await packageExtension();
  const folder: TemporaryFolder = await temporaryFolder();
  const path = join(folder.path, 'extensions');
  await step('Installing the extension', () => installExtension(vsix, path, join(folder.path, 'user')));
  return { path, remove: () => folder.remove() };
}

/** Lays an extension that needs no build beside those that are installed. */
export async function addExtension(extensionsFolder: string, path: string): Promise<void> {
  await cp(path, join(extensionsFolder, basename(path)), { recursive: true });
  // The editor's list of what is installed, which it makes anew from the folders.
  await rm(join(extensionsFolder, 'extensions.json'), { force: true });
}
