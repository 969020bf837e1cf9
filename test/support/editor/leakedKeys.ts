import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * A complete key: of the service, of the tests, or a local one. The masked form has at most four characters in a row.
 */
const KEY = /\bkey_[\w-]{12,}/g;

/** Returns the files of a folder that contain a key, each with the beginning of the first one. */
export async function findKeys(folder: string): Promise<string[]> {
  // Suites that open no editor have no logs.
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const [key] = keysIn(await readFile(file, 'utf8'));
      return key === undefined ? [] : [`${relative(folder, file)}: ${key.slice(0, 12)}…`];
    }),
  );
  return found.flat();
}

export function keysIn(text: string): readonly string[] {
  return text.match(KEY) ?? [];
}
