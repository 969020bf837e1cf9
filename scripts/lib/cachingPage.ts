import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIST, ROOT } from './paths.ts';

/**
 * Writes the page about caches that the Usage view opens: the one in `docs`, without its pictures and links, whose
 * targets are not in the package.
 */
export async function writeCachingPage(): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/caching.md'), 'utf8');
  await writeFile(join(DIST, 'caching.md'), withoutTargets(page));
}

function withoutTargets(markdown: string): string {
  return markdown.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '').replaceAll(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
}
