/**
 * A path in an answer as a path within the workspace: with `/`, without `.` and `..`.
 *
 * @param roots paths of the workspace's folders. A path that begins with one of them is taken as within it.
 * @returns undefined for a path that leads out of the workspace, or nowhere.
 */
export function relativePath(written: string, roots: readonly string[]): string | undefined {
  const path = written.trim().replaceAll('\\', '/');
  const root = roots.find((one) => path.startsWith(`${one}/`));
  const inner = root === undefined ? path : path.slice(root.length + 1);
  if (inner.startsWith('/') || inner.startsWith('~') || /^[a-z][a-z\d+.-]*:/i.test(inner)) return undefined;
  const parts: string[] = [];
  for (const part of inner.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? undefined : parts.join('/');
}
