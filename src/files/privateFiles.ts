/**
 * Files and folders that only their user can read: modes 0600 and 0700 under any umask. What is already there with a
 * wider mode, from an earlier version or from somebody else, is narrowed when it is opened. Windows has no such modes;
 * there the profile folder, in which all of this lies, is closed to other users.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, hasCode } from '../display/errorCode.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSIONS = 0o777;

/** File systems without modes, such as FAT, answer with one of these, and so does a file of another user. */
const FIXED_MODE = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EROFS'];

/** SQLite gives the files beside a database the database's mode, but only when it creates them. */
const BESIDE_DATABASE = ['-wal', '-shm', '-journal'];

/**
 * Creates a folder of the extension's own, with those above it. A folder that others could enter is narrowed with all
 * that is in it. Not for folders that the person chose: those keep their modes.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (await narrow(path, FOLDER_MODE)) await narrowContents(path);
}

/** Replaces what is in the file. With `flag` `wx` it must not exist yet: `EEXIST` is thrown where it does. */
export async function writePrivateFile(path: string, data: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  await withPrivateFile(path, flag, (file) => file.writeFile(data));
}

export async function appendPrivateFile(path: string, text: string): Promise<void> {
  await withPrivateFile(path, 'a', (file) => file.appendFile(text, 'utf8'));
}

/** Replaces the file in one step, so that a reader finds the old text or the new one, and never a part of either. */
export async function replacePrivateFile(path: string, data: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writePrivateFile(draft, data);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Creates an empty file for a database, with the folders above it, or narrows the one that is there with the files that
 * SQLite keeps beside it. A folder that is there keeps its mode: it may be one that the person chose.
 */
export function ensurePrivateDatabase(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  closeSync(openSync(path, 'a', FILE_MODE));
  for (const file of [path, ...BESIDE_DATABASE.map((suffix) => path + suffix)]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || !needsNarrowing(found.mode, FILE_MODE)) continue;
    try {
      chmodSync(file, FILE_MODE);
    } catch (error) {
      allowFixedMode(error);
    }
  }
}

async function withPrivateFile(path: string, flag: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flag, FILE_MODE);
  try {
    const { mode } = await file.stat();
    if (needsNarrowing(mode, FILE_MODE)) await file.chmod(FILE_MODE).catch(allowFixedMode);
    await write(file);
  } finally {
    await file.close();
  }
}

/** Links are passed over: what they lead to is not the extension's. */
async function narrowContents(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      const found = await lstat(path);
      if (found.isFile()) await narrow(path, FILE_MODE);
      else if (found.isDirectory()) {
        await narrow(path, FOLDER_MODE);
        await narrowContents(path);
      }
    } catch (error) {
      // Other windows remove and rename files at the same time.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}

/** @returns whether the mode was another one before. */
async function narrow(path: string, mode: number): Promise<boolean> {
  const isOther = needsNarrowing((await stat(path)).mode, mode);
  if (isOther) await chmod(path, mode).catch(allowFixedMode);
  return isOther;
}

function needsNarrowing(actual: number, wanted: number): boolean {
  return process.platform !== 'win32' && (actual & PERMISSIONS) !== wanted;
}

/** Where modes cannot be set, the file is used as it is: refusing to work there would protect nobody. */
function allowFixedMode(error: unknown): void {
  if (!FIXED_MODE.includes(errorCode(error) ?? '')) throw error;
}
