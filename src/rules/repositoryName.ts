/** Such as `git@example.com:owner/name.git`. A single letter before the colon is a drive of Windows. */
const SHORT_ADDRESS = /^(?:[^/\\:@]+@)?[^/\\:@]{2,}:(?!\/\/)(?<path>.+)$/;

/** Parts of a path that only say that a repository follows. */
const FILLERS = ['', '_git', 'scm'];

/**
 * Returns the name of a repository from the address of its remote, such as `owner/name`, without the host and without
 * credentials. Undefined for a folder on the disk.
 */
export function repositoryName(remote: string): string | undefined {
  const path = SHORT_ADDRESS.exec(remote)?.groups?.path ?? pathOfUrl(remote);
  const parts = path
    ?.replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/');
  return parts?.filter((part) => !FILLERS.includes(part)).join('/') || undefined;
}

function pathOfUrl(remote: string): string | undefined {
  const url = URL.parse(remote);
  return url === null || url.host === '' ? undefined : url.pathname;
}
