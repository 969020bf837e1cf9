/** Builds the gateway without an editor into the given folder, for `scripts/gateway.cjs`. */
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';
import { GATEWAY, VOCABULARY } from './lib/bundles.ts';
import { ROOT } from './lib/paths.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder.');

const begun = new Date();
const { outputFiles, metafile } = await build({ ...GATEWAY, write: false });
await mkdir(folder, { recursive: true });
// The lock file shows a change of dependencies; the modification times of their own files are not reliable.
const sources = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
const vocabulary = relative(ROOT, VOCABULARY);
await put('inputs.json', JSON.stringify([...sources, vocabulary, 'package-lock.json']), begun);
await put(basename(VOCABULARY), await readFile(VOCABULARY), begun);
for (const { path, contents } of outputFiles) await put(basename(path), contents, begun);

/**
 * Writes a file in one step, because other processes may start at the same moment: they find the old or the new file,
 * never a part of one.
 */
async function put(name: string, contents: string | Uint8Array, time: Date): Promise<void> {
  const temporary = join(String(folder), `${name}.${process.pid}`);
  await writeFile(temporary, contents);
  await utimes(temporary, time, time);
  await rename(temporary, join(String(folder), name));
}
