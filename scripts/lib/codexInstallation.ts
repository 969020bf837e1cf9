import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cache.ts';
import { fetchPackage } from './npmPackage.ts';
import { step } from './progress.ts';

/** The environment variable with the path of the program, which the tests read. */
export const CODEX_VARIABLE = 'MODEL_ACCESS_CODEX';

const VERSION = '0.171.0';
/** Changes when the installation steps change, so that an older installation is replaced. */
const RECIPE = '1';

/** The builds for each platform are separate versions of the package. These are the digests of their archives. */
const BUILDS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'sha512-hIYTkRUpuYpkVfTq4cpby0PXqhAVcIgE7f6FoyY1lt2RyARj3GXS1Can/dIYUBItVhXzhb98HYHZNzCX74QRlQ==',
  'darwin-x64': 'sha512-pwN5uNEKx/mZjwBEf/6CKq6SJMfJS5kruV3sJQAk7ebIPvC58Ote3CicIxETDZtjLj35rNv3PLPd7mHCg6hGPw==',
  'linux-arm64': 'sha512-9z17t4bbUJ9UCIb49O4PoA+ki+45q3rd8nZ8PeH6sYnlKkBld/Xpo/OS3h3Ti954+foshX4o7k5TCU8N7zzqQA==',
  'linux-x64': 'sha512-l66NZkQgdk2C3pbcfULDz42yEUB581MVA6I+Y43Wp4OIqEy73HCdmZ0GTjeAHY2ycuH4N00d9VsLrwT1jxshTw==',
  'win32-arm64': 'sha512-kkavDHtAkkNaYtO7eBw4IdBbE/PsWP+Ezp9JXcr/mBu/Cc7EevzFVIVC3sZYvWsF9xuvyjIUv9CKeN0LU0+N9Q==',
  'win32-x64': 'sha512-HKWBK25tLQxdEg6svw0CrBf+v0bQhRyF8EBVdNqeRxErqpfFa/dfSar6r3sJt6tyPqozOtgz2BH8B2G3n/+gnQ==',
};

const PROGRAM = process.platform === 'win32' ? 'codex.exe' : 'codex';

/**
 * Downloads Codex, a coding agent for the responses format, if it is not there yet (about 15 seconds, 170 MB, 400 MB
 * unpacked). Nothing is installed, and no account is needed.
 *
 * @returns the path of the program; undefined if there is no build for this platform.
 */
export async function installCodex(): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  const integrity = BUILDS[platform];
  if (integrity === undefined) return undefined;
  const folder = await cachedFolder(`codex-${VERSION}`, RECIPE, async (draft) => {
    await step(`Getting Codex ${VERSION} (about 170 MB, once)`, () =>
      fetchPackage(`@openai/codex@${VERSION}-${platform}`, draft, 'codex', integrity),
    );
  });
  return programIn(join(folder, 'codex', 'vendor'));
}

/** Finds the program. The only folder in `vendor` is named after the compiler's name for the platform. */
async function programIn(vendor: string): Promise<string> {
  const programs = (await readdir(vendor)).map((target) => join(vendor, target, 'bin', PROGRAM));
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error(`The package of Codex has no ${PROGRAM} in ${vendor}.`);
  return program;
}
