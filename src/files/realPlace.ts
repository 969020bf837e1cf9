import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { undefinedIfMissing } from './undefinedIfMissing.ts';

/** The target of a path after its links were followed. */
export interface RealPlace {
  /** For a file in one of the folders, its path there, even if the folder itself is behind a link. */
  readonly path: string;
  /** The path without any link. */
  readonly real: string;
  readonly isInside: boolean;
}

/**
 * Follows the links of a path. A path that does not exist is returned unchanged.
 * @param folders Full paths of the folders that count as inside.
 */
export async function realPlace(path: string, folders: readonly string[]): Promise<RealPlace> {
  const real = (await undefinedIfMissing(realpath(path))) ?? path;
  for (const folder of folders) {
    const inner = relative((await undefinedIfMissing(realpath(folder))) ?? folder, real);
    if (!inner.startsWith('..') && !isAbsolute(inner)) return { path: join(folder, inner), real, isInside: true };
  }
  return { path: real, real, isInside: false };
}
