import { baseName } from '../../files/paths.ts';

/**
 * Returns the paths that contain the letters of the query in order, the best match first: at the start of the file's
 * name, then contiguous in the name, then anywhere. An empty query keeps their order.
 */
export function matchPaths(paths: readonly string[], query: string, limit: number): string[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return paths.slice(0, limit);
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path }) => path);
}

const NO_MATCH = 4;

function rankOf(path: string, wanted: string): number {
  const name = baseName(path);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  return hasInOrder(path, wanted) ? 3 : NO_MATCH;
}

function hasInOrder(text: string, letters: string): boolean {
  let place = -1;
  return [...letters].every((letter) => {
    place = text.indexOf(letter, place + 1);
    return place !== -1;
  });
}
