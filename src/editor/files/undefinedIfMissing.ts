import { hasCode } from '../../display/errorCode.ts';

/** @returns undefined when the file or folder is not there. */
export async function undefinedIfMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
