/**
 * Checks that every string of the interface exists in every language: no key is missing or unused, and the placeholders
 * are the same. The strings of the sources are in `l10n`, those of the manifest in `package.nls*.json`.
 *
 *     npm run check:strings
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/paths.ts';
import { compareStrings, type Strings } from './lib/strings.ts';
import { compareManifest, stringsOfManifest } from './lib/stringsOfManifest.ts';
import { stringsOfSources } from './lib/stringsOfSources.ts';

/** Languages other than English, which is in the sources and in `package.nls.json`. */
const LANGUAGES = ['de', 'zh-cn'];

const sources = await stringsOfSources();
const manifest = await readJson<Strings>('package.nls.json');
const problems = compareManifest(
  stringsOfManifest(await readJson<Record<string, unknown>>('package.json')),
  manifest,
).map((problem) => `package.nls.json: ${problem}`);
for (const language of LANGUAGES) {
  await compare(sources, `l10n/bundle.l10n.${language}.json`);
  await compare(manifest, `package.nls.${language}.json`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else {
  const count = Object.keys(sources).length + Object.keys(manifest).length;
  console.log(`${count} strings in ${LANGUAGES.length + 1} languages`);
}

async function compare(english: Strings, file: string): Promise<void> {
  problems.push(...compareStrings(english, await readJson<Strings>(file)).map((problem) => `${file}: ${problem}`));
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'));
}
