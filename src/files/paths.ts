/** Paths with `/`, as the editor and its URIs write them. */

/** The names of folders whose files are rarely wanted, and often outnumber all others in a workspace. */
export const SKIPPED_NAMES = ['node_modules', '.git', 'bower_components', '__pycache__', '.venv'];
/** A glob of their files. */
export const SKIPPED_FOLDERS = `**/{${SKIPPED_NAMES.join(',')}}/**`;

export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}

/** Returns the folder of a path, without a trailing slash; empty for a path with a single part. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
