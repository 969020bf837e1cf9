import { hasCode } from '../display/errors.ts';

/** Returns undefined if the file or folder does not exist, also because a folder of its path is a file. */
export async function undefinedIfMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}
