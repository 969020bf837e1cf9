import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { hasCode } from '../display/errors.ts';
import { undefinedIfMissing } from './undefinedIfMissing.ts';

/** A pipe would wait for a writer, and a link would lead elsewhere. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface CheckedFile {
  /** In bytes. More than the limit if `bytes` is undefined. */
  readonly size: number;
  /** Undefined if the file is longer than the limit. */
  readonly bytes: Uint8Array | undefined;
}

/** The path no longer points to the file that was checked, or not to a file at all. */
export class FileMovedError extends Error {}

/**
 * Reads the file at a path that was checked before. The path could have been replaced with a link since, so the file is
 * opened first, and read only if it is the one at this path.
 * @param real The path without any link, from {@link realPlace}.
 * @throws FileMovedError
 */
export function readCheckedFile(real: string, maxBytes: number): Promise<CheckedFile> {
  return withCheckedFile(real, (file, size) =>
    size > maxBytes ? { size, bytes: undefined } : readUpTo(file, maxBytes),
  );
}

/** Like {@link readCheckedFile}, in parts of any size. */
export function readCheckedParts<T>(real: string, read: (parts: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
  return withCheckedFile(real, (file) => read(file.createReadStream({ autoClose: false })));
}

async function withCheckedFile<T>(real: string, act: (file: FileHandle, size: number) => T | Promise<T>): Promise<T> {
  const file = await openReal(real);
  try {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile() || !(await isAt(real, file, opened))) throw new FileMovedError(real);
    return await act(file, Number(opened.size));
  } finally {
    await file.close();
  }
}

async function openReal(real: string): Promise<FileHandle> {
  try {
    return await open(real, FLAGS);
  } catch (error) {
    // What opening a link with O_NOFOLLOW, and a socket, results in.
    if (hasCode(error, 'ELOOP') || hasCode(error, 'EMLINK') || hasCode(error, 'ENXIO')) throw new FileMovedError(real);
    throw error;
  }
}

/**
 * Whether the opened file is the one at this path. A folder on the way could have been a link while the file was opened.
 * Linux knows where an opened file is; elsewhere, the path is looked at before and after the file is compared.
 */
async function isAt(real: string, { fd }: FileHandle, opened: BigIntStats): Promise<boolean> {
  const link = process.platform === 'linux' ? await undefinedIfMissing(readlink(`/proc/self/fd/${fd}`)) : undefined;
  if (link !== undefined && link !== real) return false;
  if ((await realpath(real)) !== real) return false;
  const found = await lstat(real, { bigint: true });
  return found.ino === opened.ino && found.dev === opened.dev && (await realpath(real)) === real;
}

/** The file may become longer while it is read. */
async function readUpTo(file: FileHandle, maxBytes: number): Promise<CheckedFile> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false, end: maxBytes }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return { size, bytes: size > maxBytes ? undefined : Buffer.concat(chunks) };
}
