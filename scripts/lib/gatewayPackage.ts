import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';
import { checkUnpacked } from './budgets.ts';
import { GATEWAY, VOCABULARY } from './bundles.ts';
import { thirdPartyNotices, VOCABULARY_PACKAGE } from './notices.ts';
import { DIST, ROOT } from './paths.ts';
import { runNpm } from './processes.ts';

const SOURCE = join(ROOT, 'packages', 'gateway');

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
}

/** Members that the package shares with the extension's manifest. */
const SHARED = ['version', 'license', 'bugs', 'homepage'] as const;

/**
 * Builds the package of the command line with everything that it runs, and checks its size.
 *
 * @returns the path of the archive, for `npm install` and `npm publish`.
 */
export async function packageGateway(folder = DIST): Promise<string> {
  const draft = join(folder, 'gateway-package');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await cp(SOURCE, draft, { recursive: true, filter: (path) => path !== join(SOURCE, 'src') });
  await copyFile(join(ROOT, 'LICENSE'), join(draft, 'LICENSE'));
  const { metafile } = await build({ ...GATEWAY, legalComments: 'none', outdir: join(draft, 'dist') });
  await copyFile(VOCABULARY, join(draft, 'dist', basename(VOCABULARY)));
  await writeFile(join(draft, 'ThirdPartyNotices.txt'), await thirdPartyNotices([metafile], [VOCABULARY_PACKAGE]));
  await writeFile(join(draft, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  const listed = await runNpm(['pack', draft, '--pack-destination', folder, '--json', '--loglevel', 'error'], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(listed) as [Packed];
  checkUnpacked(packed.filename, packed.unpackedSize);
  return join(folder, packed.filename);
}

async function manifest(): Promise<Record<string, unknown>> {
  const read = async (folder: string) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const [own, project] = await Promise.all([read(SOURCE), read(ROOT)]);
  const repository = { ...project.repository, directory: relative(ROOT, SOURCE).replaceAll('\\', '/') };
  return { ...own, ...Object.fromEntries(SHARED.map((member) => [member, project[member]])), repository };
}
