/**
 * Checks that no two files export a type or class of the same name. A reader who meets a name then knows what it means
 * without looking where it was imported from, and the editor's quick open finds one place.
 */
import { glob, readFile } from 'node:fs/promises';
import { ROOT } from './lib/paths.ts';

const DECLARATION = /^export (?:declare |abstract )*(?:class|interface|type|enum) (\w+)/gm;

const files = new Map<string, string[]>();
for await (const path of glob('{src,packages}/**/*.{ts,tsx}', { cwd: ROOT })) {
  for (const [, name = ''] of (await readFile(`${ROOT}/${path}`, 'utf8')).matchAll(DECLARATION)) {
    files.set(name, [...(files.get(name) ?? []), path]);
  }
}

const repeated = [...files].filter(([, paths]) => paths.length > 1);
for (const [name, paths] of repeated) {
  console.error(`${name} is exported by ${paths.sort().join(' and ')}. Give one of them another name.`);
}
if (repeated.length > 0) process.exit(1);
