/** A folder of the workspace, as far as paths go. */
interface Folder {
  readonly name: string;
  readonly uri: { readonly path: string };
}

export interface Place<F extends Folder> {
  readonly folder: F;
  /** Within the folder. */
  readonly path: string;
}

/**
 * Where in the workspace a path of an answer may lead, the most likely place first. In a workspace of several folders
 * the editor names them in paths, so that `web/src/a.ts` is `src/a.ts` of the folder `web` before anything else.
 *
 * @returns none for a path that leads out of the workspace, or nowhere.
 */
export function placesOf<F extends Folder>(written: string, folders: readonly F[]): Place<F>[] {
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

/** A path within a folder: with `/`, without `.` and `..`. */
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

/** The root of a file system ends with the slash that others lack. */
function rootOf({ uri }: Folder): string {
  return uri.path.replace(/\/+$/, '');
}

function deepestFirst(a: Folder, b: Folder): number {
  return b.uri.path.length - a.uri.path.length;
}
