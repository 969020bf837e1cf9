/**
 * Checks that every string of the interface is there in every language: no key missing, none left over, and the same
 * placeholders everywhere.
 *
 *     npm run check:strings
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/paths.ts';
import { compareStrings, type Strings } from './lib/strings.ts';
import { stringsOfSources } from './lib/stringsOfSources.ts';

/** Beside English, which stands in the sources themselves. */
const LANGUAGES = ['de', 'zh-cn'];

const problems: string[] = [];
const source = await stringsOfSources();
for (const language of LANGUAGES) {
  const file = `l10n/bundle.l10n.${language}.json`;
  problems.push(...compareStrings(source, await readStrings(file)).map((problem) => `${file}: ${problem}`));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(source).length} strings in ${LANGUAGES.length + 1} languages`);

async function readStrings(file: string): Promise<Strings> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'));
}
