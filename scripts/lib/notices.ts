/** Collects the licenses of the packages in the shipped files, which require to be shipped with them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { packageFolder, ROOT } from './paths.ts';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/** Shipped as data: the tokenizer's vocabulary. */
export const VOCABULARY_PACKAGE = packageFolder('gpt-tokenizer');

/**
 * Returns one text with the license of each package, sorted by name.
 *
 * @param folders packages that are shipped without being imported.
 * @throws if a package has neither a license text nor an address for it.
 */
export async function thirdPartyNotices(
  metafiles: readonly Metafile[],
  folders: readonly string[] = [],
): Promise<string> {
  const imported = metafiles.flatMap(includedFiles).flatMap((path) => {
    const folder = PACKAGE.exec(path)?.[1];
    return folder === undefined ? [] : [join(ROOT, folder)];
  });
  const notices = await Promise.all([...new Set([...imported, ...folders])].map(noticeOf));
  const sorted = [...new Set(notices)].sort((one, other) => one.localeCompare(other, 'en'));
  return `Parts of these packages are included, under their own licenses.\n\n${sorted.join('\n')}`;
}

/** Returns the files of which something is left after unused code was removed. */
function includedFiles({ outputs }: Metafile): readonly string[] {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license, homepage, repository } = manifest;
  const title = `${name} ${version}${license === undefined ? '' : ` (${license})`}`;
  const files = (await readdir(folder)).filter((file) => LICENSE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const source = homepage ?? (typeof repository === 'string' ? repository : repository?.url);
  if (texts.length === 0 && source === undefined) throw new Error(`${title} names neither its license nor its source.`);
  // Some packages declare their license without its text.
  const notice = texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : `See ${source}.`;
  return `${title}\n${'='.repeat(title.length)}\n\n${notice}\n`;
}
