/** The editor's access to files on disk, for classes that are tested outside the editor. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../src/display/errors.ts';
import type { Delay } from '../memoryStore.ts';
import { FileSystemError, FileType, type Uri } from './vscode.ts';

/** The editor's names of errors. */
const ERRORS: Readonly<Record<string, string>> = { ENOENT: 'FileNotFound', ENOTDIR: 'FileNotADirectory' };

/**
 * What is read is read last, and what is changed is changed at once, so that nothing comes between a read and a write.
 * @param delay what each read and each change waits for.
 */
export function diskFiles(delay: Delay) {
  return {
    isWritableFileSystem: () => true,
    stat: ({ fsPath }: Uri) =>
      withErrors(async () => {
        const found = statSync(fsPath);
        const type = found.isDirectory() ? FileType.Directory : FileType.File;
        return { type, size: found.size, ctime: found.ctimeMs, mtime: found.mtimeMs };
      }),
    readFile: async ({ fsPath }: Uri) => {
      await delay('read a file');
      return withErrors(async (): Promise<Uint8Array> => readFileSync(fsPath));
    },
    writeFile: async ({ fsPath }: Uri, bytes: Uint8Array) => {
      await withErrors(async () => writeFileSync(fsPath, bytes));
      await delay('write a file');
    },
    rename: async (from: Uri, to: Uri) => {
      await withErrors(async () => renameSync(from.fsPath, to.fsPath));
      await delay('rename a file');
    },
    delete: async ({ fsPath }: Uri) => {
      await withErrors(async () => rmSync(fsPath));
      await delay('delete a file');
    },
  };
}

async function withErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = ERRORS[errorCode(error) ?? ''];
    throw code === undefined ? error : new FileSystemError(code);
  }
}
