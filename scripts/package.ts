/** Builds the extension and packages it as `dist/<name>-<version>.vsix`. `--list` lists the files in it. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/paths.ts';
import { listPackagedFiles, packageExtension } from './lib/vsix.ts';

const { values } = parseArgs({ options: { list: { type: 'boolean' } } });

const file = await packageExtension();
if (values.list) console.log(await listPackagedFiles());
console.log(`Packaged ${relative(ROOT, file)}`);
