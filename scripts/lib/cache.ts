import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE } from './paths.ts';

const MARKER = '.complete';

/**
 * Returns a folder that is filled once and reused by later runs. It is filled under another name and renamed when it is
 * complete, so that an interrupted run leaves nothing incomplete and two concurrent runs do not interfere.
 *
 * @param recipe changes when the folder must be filled in another way; a folder of another recipe is replaced.
 */
export async function cachedFolder(
  name: string,
  recipe: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, name);
  if (await isComplete(folder, recipe)) return folder;
  const draft = join(CACHE, `${name}.${process.pid}.draft`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
    await writeFile(join(draft, MARKER), recipe);
    if (!(await isComplete(folder, recipe))) {
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

async function isComplete(folder: string, recipe: string): Promise<boolean> {
  const marker = join(folder, MARKER);
  return existsSync(marker) && (await readFile(marker, 'utf8')) === recipe;
}
