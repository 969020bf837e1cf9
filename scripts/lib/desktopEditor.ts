import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, startTree } from './processes.ts';

const WINDOWS = process.platform === 'win32';

export interface DesktopOptions {
  readonly vsix: string;
  readonly userFolder: string;
  readonly workspace: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Opens the desktop editor `code` from the PATH with a profile of its own. The process ends when its window is closed.
 */
export async function startDesktopEditor(options: DesktopOptions): Promise<ChildProcess> {
  const { vsix, userFolder, workspace, settings } = options;
  await mkdir(join(userFolder, 'User'), { recursive: true });
  await writeFile(join(userFolder, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
  const profile = ['--user-data-dir', userFolder, '--extensions-dir', join(userFolder, 'extensions')];
  const [command, ...prefix] = code();
  await run(command, [...prefix, ...profile, '--install-extension', vsix]).catch((error: Error) => {
    throw new Error(`The command "code" could not install the extension. Is it on the PATH?\n${error.message}`);
  });
  return startTree(command, [...prefix, ...profile, '--new-window', '--wait', workspace], { stdio: 'inherit' });
}

/** Returns the command. On Windows, `code` is a batch file, which only a shell can start. */
function code(): [command: string, ...args: string[]] {
  return WINDOWS ? ['cmd.exe', '/d', '/c', 'code'] : ['code'];
}
