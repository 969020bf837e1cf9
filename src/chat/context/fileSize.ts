import * as l10n from '@vscode/l10n';

/** Larger files are refused: no context window fits such a text, and no format such an image. In bytes. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

export function isLarge(bytes: number): boolean {
  return bytes > MAX_FILE_BYTES;
}

/** @throws if there are too many bytes. */
export function refuseLarge(name: string, bytes: number): void {
  if (!isLarge(bytes)) return;
  const megabytes = (count: number) => Math.ceil(count / 1024 / 1024);
  throw new Error(
    l10n.t('{0} is too large to attach ({1} MB, at most {2} MB).', name, megabytes(bytes), megabytes(MAX_FILE_BYTES)),
  );
}
