import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

const SAMPLE = join(ROOT, 'test', 'fixtures', 'workspace');

/** Copies the sample files into a new folder in `parent`, so that nothing done in the editor changes the project. */
export async function copySampleWorkspace(parent: string, name = 'parcel-desk'): Promise<string> {
  const folder = join(parent, name);
  await cp(SAMPLE, folder, { recursive: true });
  return folder;
}
