import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';

/** Waits until the editor has written a file to its end, and returns its text. Until then, the file may be empty. */
export async function writtenText(path: string, ending: string): Promise<string> {
  let text = '';
  await eventually(`the file ${path}`, async () => {
    text = (await readIfThere(path)).toString();
    return text.endsWith(ending);
  });
  return text;
}

/** Returns the paths of the files in a folder and its subfolders that are accepted and contain a text. */
export async function filesWith(folder: string, text: string, accepts: (file: Dirent) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && accepts(entry))
    .map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => (await readIfThere(path)).includes(text)));
  return paths.filter((_, index) => found[index]);
}

/** Returns nothing for a file that is gone: the editor renames and removes files at any time. */
async function readIfThere(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}
