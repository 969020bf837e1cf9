import { stat } from 'node:fs/promises';

/**
 * Shares out files to as many lanes as there are, so that each lane has about as much to do. How much a file is to do
 * is told by its size: the longer a suite, the longer it runs.
 */
export async function shareOut(files: readonly string[], lanes: number): Promise<string[][]> {
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  sized.sort((one, other) => other.size - one.size || one.file.localeCompare(other.file));
  const shares = Array.from({ length: lanes }, () => ({ files: [] as string[], size: 0 }));
  for (const { file, size } of sized) {
    const least = shares.reduce((one, other) => (other.size < one.size ? other : one));
    least.files.push(file);
    least.size += size;
  }
  return shares.map((share) => share.files.sort());
}
