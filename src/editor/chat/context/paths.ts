/** Functions for paths with `/`, as the editor and its URIs write them. */
export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}

/** Returns the folder of a path, without a trailing slash; empty for a path with a single part. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
