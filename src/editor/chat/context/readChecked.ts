import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { MAX_FILE_BYTES, refuseLarge } from '../../../chat/context/fileSize.ts';
import { FileMovedError, readCheckedFile, readCheckedParts } from '../../../files/checkedFile.ts';
import { baseName } from '../../../files/paths.ts';
import type { CheckedUri } from '../guard/guard.ts';

type CheckedPath = Pick<CheckedUri, 'uri' | 'real'>;

/**
 * Reads a file, if it is still the one that was checked.
 * @throws if it is another one now, or is too large to attach.
 */
export async function readChecked(place: CheckedPath): Promise<Uint8Array> {
  const { size, bytes } = await read(place, MAX_FILE_BYTES);
  refuseLarge(baseName(place.uri.path), size);
  return bytes ?? new Uint8Array();
}

/** Returns undefined for a longer file. */
export async function readUpTo(place: CheckedPath, maxBytes: number): Promise<Uint8Array | undefined> {
  return (await read(place, maxBytes)).bytes;
}

/** Returns undefined for a file that is not on this machine's file system, which can only be read as a whole. */
export async function readInParts<T>(
  { uri, real }: CheckedPath,
  readParts: (parts: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | undefined> {
  return real === undefined ? undefined : ifNotMoved(uri, readCheckedParts(real, readParts));
}

async function read({ uri, real }: CheckedPath, maxBytes: number) {
  if (real !== undefined) return ifNotMoved(uri, readCheckedFile(real, maxBytes));
  const { size } = await vscode.workspace.fs.stat(uri);
  return { size, bytes: size > maxBytes ? undefined : await vscode.workspace.fs.readFile(uri) };
}

async function ifNotMoved<T>(uri: vscode.Uri, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof FileMovedError)) throw error;
    throw new Error(l10n.t('{0} is no longer the file that was checked. Attach it again.', baseName(uri.path)));
  }
}
