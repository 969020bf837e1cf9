import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import exporter from '@vscode/l10n-dev';
import { ROOT } from './paths.ts';
import type { Strings } from './strings.ts';

/** The English texts that the sources in a folder give to `l10n.t`, by their keys in the bundles. */
export async function stringsOfSources(folder = 'src'): Promise<Strings> {
  const paths = await Array.fromAsync(glob(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  const files = paths.sort().map(async (path) => ({
    extension: extname(path),
    contents: await readFile(join(ROOT, path), 'utf8'),
  }));
  // Parsing is slow, and most files have no text for people.
  const withTexts = (await Promise.all(files)).filter(({ contents }) => contents.includes('l10n'));
  const found = await exporter.getL10nJson(withTexts);
  return Object.fromEntries(
    Object.entries(found).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}
