import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cache.ts';
import { fetchPackage } from './npmPackage.ts';
import { step } from './progress.ts';

/** The environment variable with the path of the program, which the tests read. */
export const CODEX_VARIABLE = 'MODEL_ACCESS_CODEX';

const VERSION = '0.169.0';
/** Changes when the installation steps change, so that an older installation is replaced. */
const RECIPE = '1';

/** The builds for each platform are separate versions of the package. These are the digests of their archives. */
const BUILDS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'sha512-5WsWFBbVP78D+6FvNo1MMVxLPZdmcoQlqVJFrF4qx/TmvneLnMQKtLyXkUo54XOTDfoYKpNouTJ/F7gTVA8FnQ==',
  'darwin-x64': 'sha512-K1FKSsSLl9v3z5TeagBQXyQRDBIGB5Jncy5dxsRxwT3aaTqN3AI8VrCfoxBxKMOOU9O2QX1vg7WkBwNVth/s9A==',
  'linux-arm64': 'sha512-NZ/DaQUpcQmxmqee7Z9uC1rzw3GhSbooawcaTe1LN5Yk+WlinUKGdTXJgClRT/9ogQEEM9TWxYzvxPfj5G/xFg==',
  'linux-x64': 'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
  'win32-arm64': 'sha512-nTN9SpkacGohq60+I80R3t0R8Mhbnlt3OVYNahgAv1Gu77KFwhPc0vz9Ou/DAGDtYhKVWA/jiYXJXnlzkwb/JA==',
  'win32-x64': 'sha512-nC+McFU8xRNL9tk3IhxcKdhcyOElwF/HhPO+gzSQCY7yjh3XdzSajX+MYWcHUVHWRHajfwn3/WgJYJK2wS+XWg==',
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
