/** The properties of a workspace folder that resolving paths needs. */
interface Folder {
  readonly name: string;
  readonly uri: { readonly path: string };
}

export interface FolderPlace<F extends Folder> {
  readonly folder: F;
  /** The path within the folder. */
  readonly path: string;
}

/**
 * Returns the workspace files that a path in an answer may refer to, the most likely one first. In a workspace with
 * several folders, the editor puts the folder's name before paths, so `web/src/a.ts` is first of all `src/a.ts` in the
 * folder `web`.
 * @returns an empty list for a path outside the workspace or without a target.
 */
export function placesOf<F extends Folder>(written: string, folders: readonly F[]): FolderPlace<F>[] {
  const path = written.trim().replaceAll('\\', '/');
  const around = folders.filter((folder) => path.startsWith(`${rootOf(folder)}/`)).sort(deepestFirst)[0];
  if (around !== undefined) {
    const inner = relativePath(path.slice(rootOf(around).length + 1));
    return inner === undefined ? [] : [{ folder: around, path: inner }];
  }
  const inner = relativePath(path);
  if (inner === undefined) return [];
  const plain = folders.map((folder) => ({ folder, path: inner }));
  const named = folders
    .filter(({ name }) => inner.startsWith(`${name}/`))
    .map((folder) => ({ folder, path: inner.slice(folder.name.length + 1) }));
  return folders.length > 1 ? [...named, ...plain] : [...plain, ...named];
}

/** Normalizes a path within a folder: with `/`, without `.` and `..`. */
function relativePath(path: string): string | undefined {
  if (path.startsWith('/') || path.startsWith('~') || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** Removes the trailing slash, which only the root of a file system has. */
function rootOf({ uri }: Folder): string {
  return uri.path.replace(/\/+$/, '');
}

function deepestFirst(a: Folder, b: Folder): number {
  return b.uri.path.length - a.uri.path.length;
}
