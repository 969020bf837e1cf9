import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { cachedFolder } from './cache.ts';
import { run } from './processes.ts';
import { step } from './progress.ts';

/** The browser in the npm package `@sparticuz/chromium`: headless, for Linux on x64, with its own libraries. */
export interface BundledChromium {
  readonly executable: string;
  /** Environment variables that it needs in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

export function hasBundledChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

export async function bundledChromium(): Promise<BundledChromium> {
  const root = join(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '..', '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = await cachedFolder(`chromium-${version}`, '1', (draft) =>
    step('Unpacking the browser (once)', () => unpack(join(root, 'bin'), draft)),
  );
  return {
    executable: join(folder, 'chromium'),
    env: {
      // A fresh Debian lacks the NSS libraries, which the package contains.
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    },
  };
}

async function unpack(archives: string, folder: string): Promise<void> {
  await pipeline(
    createReadStream(join(archives, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(folder, 'chromium'), { mode: 0o755 }),
  );
  const libraries = join(folder, 'libraries.tar');
  await pipeline(
    createReadStream(join(archives, 'al2023.tar.br')),
    createBrotliDecompress(),
    createWriteStream(libraries),
  );
  await mkdir(join(folder, 'lib'));
  await run('tar', ['-xf', libraries, '-C', folder]);
}
