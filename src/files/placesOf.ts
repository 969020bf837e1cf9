/** The properties of a workspace folder that resolving paths needs. */
interface Folder {
  readonly name: string;
  readonly uri: { readonly path: string; readonly authority?: string };
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
  const path = withoutScheme(written.trim())
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\//, '');
  const around = folders.filter((folder) => innerPath(path, folder) !== undefined).sort(deepestFirst)[0];
  if (around !== undefined) {
    const inner = relativePath(innerPath(path, around) ?? '');
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

/** A URI of a file as a path. Other URIs are no paths. */
function withoutScheme(written: string): string {
  if (!written.startsWith('file://')) return written;
  try {
    return decodeURIComponent(written.slice('file://'.length)).replace(/^(?=[^/])/, '//');
  } catch {
    return written;
  }
}

/** Returns the part of a full path that is within the folder; undefined if the path leads elsewhere. */
function innerPath(path: string, folder: Folder): string | undefined {
  const root = rootOf(folder);
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  const drive = /^\/([a-z]):/i.exec(root)?.[1];
  const place = drive === undefined ? withoutDistribution(path) : withDrive(path, drive);
  if (drive === undefined && place.startsWith(`${root}/`)) return place.slice(root.length + 1);
  // Windows does not distinguish case.
  const whole = drive === undefined ? `//${folder.uri.authority ?? ''}${root}/` : `${root}/`;
  return place.toLowerCase().startsWith(whole.toLowerCase()) ? place.slice(whole.length) : undefined;
}

/** A path on a drive of Windows, as `C:/a`, and as WSL and Git Bash write it: `/mnt/c/a` and `/c/a`. */
function withDrive(path: string, drive: string): string {
  const rest = new RegExp(`^/?(?:${drive}:|/(?:mnt/)?${drive}(?=/))`, 'i').exec(path)?.[0];
  return rest === undefined ? path : `/${drive}:${path.slice(rest.length)}`;
}

/** A path in WSL as Windows writes it: `//wsl.localhost/Debian/home/a`, and `C:/a` for `/mnt/c/a`. */
function withoutDistribution(path: string): string {
  return path
    .replace(/^\/\/wsl(?:\$|\.localhost)\/[^/]+(?=\/)/i, '')
    .replace(/^([a-z]):(?=\/)/i, (_, letter: string) => `/mnt/${letter.toLowerCase()}`);
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
