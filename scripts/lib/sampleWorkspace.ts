import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

const FIXTURES = join(ROOT, 'test', 'fixtures');

/** Copies the sample files into a new folder in `parent`, so that nothing done in the editor changes the project. */
export async function copySampleWorkspace(parent: string, name = 'parcel-desk'): Promise<string> {
  const folder = join(parent, name);
  await cp(join(FIXTURES, 'workspace'), folder, { recursive: true });
  return folder;
}

/** Adds a skill and an agent to the sample files. The sandbox has a task for each. */
export async function addCustomizations(folder: string): Promise<void> {
  await cp(join(FIXTURES, 'customizations'), folder, { recursive: true });
}
