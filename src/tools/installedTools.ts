import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** The version of a program that takes longer is not shown. */
const VERSION_TIMEOUT_MS = 5000;
const VERSION = /\d+\.\d+[\w.+-]*/;

export interface Search {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of a program on the `PATH`; undefined if it is not found. */
export async function findProgram(name: string, { platform, env }: Search): Promise<string | undefined> {
  // A relative folder would depend on the folder in which the editor was started.
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const path of folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)))) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Returns the version that `PROGRAM --version` prints; undefined if it prints none, fails, or takes too long. */
export function versionOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: VERSION_TIMEOUT_MS, cwd: homedir(), windowsHide: true, maxBuffer: 64_000 };
    const program = execFile(path, ['--version'], options, (error, output) => {
      resolve(error === null ? VERSION.exec(output)?.[0] : undefined);
    });
    program.stdin?.end();
    program.on('error', () => resolve(undefined));
  });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
