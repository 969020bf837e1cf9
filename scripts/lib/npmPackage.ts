import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run, runNpm } from './processes.ts';

/**
 * Unpacks a package from the registry into a new folder inside `parent`, without installing it or its dependencies.
 *
 * @param specifier name and exact version, such as `code-server@4.139.1`.
 * @param integrity digest of the archive, as in lock files; npm compares it with the registry's.
 * @returns the folder of the package.
 */
export async function fetchPackage(
  specifier: string,
  parent: string,
  name: string,
  integrity?: string,
): Promise<string> {
  const draft = await mkdtemp(join(parent, 'fetch-'));
  try {
    await runNpm(['pack', specifier, '--pack-destination', draft, '--loglevel', 'error'], { cwd: draft });
    const [archive] = await readdir(draft);
    if (archive === undefined) throw new Error(`npm pack ${specifier} wrote no file.`);
    if (integrity !== undefined) await checkIntegrity(join(draft, archive), integrity);
    // `tar` is part of Debian's base system, of macOS, and of Windows 10.
    await run('tar', ['-xzf', archive], { cwd: draft });
    await rename(join(draft, 'package'), join(parent, name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(parent, name);
}

async function checkIntegrity(archive: string, integrity: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== integrity) throw new Error(`${archive} has the digest ${found} instead of ${integrity}.`);
}
