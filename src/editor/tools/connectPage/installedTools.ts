import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program that takes longer has no version to show. */
const VERSION_TIMEOUT_MS = 5000;
const VERSION = /\d+\.\d+[\w.+-]*/;

export interface Search {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @returns the path of a program on the `PATH`; undefined when it is not there. */
export async function findProgram(name: string, { platform, env }: Search): Promise<string | undefined> {
  // A relative folder would lead into whatever folder the editor was started in.
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const path of folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)))) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** What `PROGRAM --version` says; undefined when it says none, fails, or takes too long. */
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
