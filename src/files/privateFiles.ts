/**
 * Files and folders that only their user can read: modes 0600 and 0700 under any umask. Existing ones with wider modes,
 * such as those that others have created, are restricted when they are opened. Windows has no such modes; there
 * the profile folder, which contains all of these files, is closed to other users.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, hasCode } from '../display/errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSIONS = 0o777;

/** Errors of file systems without modes, such as FAT, and of files that belong to another user. */
const FIXED_MODE = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EROFS'];

/** SQLite gives the files beside a database the mode of the database, but only when it creates them. */
const BESIDE_DATABASE = ['-wal', '-shm', '-journal'];

/**
 * Creates a folder that belongs to the extension, and its parents. An existing folder that others could enter is
 * restricted with all of its contents. Not for folders that the user chose: those keep their modes.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (await narrow(path, FOLDER_MODE)) await narrowContents(path);
}

/**
 * Replaces the contents of the file. With the `flag` `wx` the file must not exist yet; if it does, `EEXIST` is thrown.
 */
export async function writePrivateFile(path: string, data: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  await withPrivateFile(path, flag, (file) => file.writeFile(data));
}

export async function appendPrivateFile(path: string, text: string): Promise<void> {
  await withPrivateFile(path, 'a', (file) => file.appendFile(text, 'utf8'));
}

/** Replaces the file in one step, so that a reader finds either the old text or the new one, never a part of one. */
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

/** Does the same at once, also in a process that ends, and creates the parent folders. */
export function replacePrivateFileSync(path: string, data: string): void {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  writeFileSync(draft, data, { mode: FILE_MODE });
  renameSync(draft, path);
}

/**
 * Creates an empty file for a database, and its parent folders. An existing file is restricted, together with the files
 * that SQLite keeps beside it. An existing folder keeps its mode, because the user may have chosen it.
 */
export function ensurePrivateDatabase(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  // Opening a pipe would wait for another program.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a file');
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

/** Skips links: their targets do not belong to the extension. */
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

/** @returns whether the mode was different before. */
async function narrow(path: string, mode: number): Promise<boolean> {
  const isOther = needsNarrowing((await stat(path)).mode, mode);
  if (isOther) await chmod(path, mode).catch(allowFixedMode);
  return isOther;
}

function needsNarrowing(actual: number, wanted: number): boolean {
  return process.platform !== 'win32' && (actual & PERMISSIONS) !== wanted;
}

/** Where modes cannot be set, the file is used as it is: refusing to work there would protect no one. */
function allowFixedMode(error: unknown): void {
  if (!FIXED_MODE.includes(errorCode(error) ?? '')) throw error;
}
