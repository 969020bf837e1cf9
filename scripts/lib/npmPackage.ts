import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run, runNpm } from './processes.ts';

/**
 * Unpacks a package of the registry into a new folder inside `parent`, without installing it or what it depends on.
 *
 * @param specifier name and exact version, such as `code-server@4.139.1`.
 * @returns the folder of the package.
 */
export async function fetchPackage(specifier: string, parent: string, name: string): Promise<string> {
  const draft = await mkdtemp(join(parent, 'fetch-'));
  try {
    await runNpm(['pack', specifier, '--pack-destination', draft, '--loglevel', 'error'], { cwd: draft });
    const [archive] = await readdir(draft);
    if (archive === undefined) throw new Error(`npm pack ${specifier} wrote no file.`);
    // `tar` is part of Debian's base system, of macOS and of Windows 10.
    await run('tar', ['-xzf', archive], { cwd: draft });
    await rename(join(draft, 'package'), join(parent, name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(parent, name);
}
