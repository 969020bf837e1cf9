import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { undefinedIfMissing } from '../files/undefinedIfMissing.ts';

const OTHERS = 0o077;
/** Far longer than any tool's configuration. A longer file would fill the memory of the editor's process. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The location of a tool's configuration. */
export interface ConfigurationPlace {
  /** The path where the tool looks for it. */
  readonly path: string;
  /**
   * The file that is written. It differs from the path if links lead elsewhere, such as to a repository of dotfiles.
   */
  readonly target: string;
  /** The Git working tree that contains the target, if any. */
  readonly repository: string | undefined;
  /** Whether other users of the machine can read it. */
  readonly isOpenToOthers: boolean;
  /** Whether there are other hard links to the file. They keep the earlier content, because the file is replaced. */
  readonly hasOtherLinks: boolean;
}

/**
 * @throws for a link without a target, because it is unclear which file would be written, and for anything that cannot
 * be read as a configuration, such as a folder or a device.
 */
export async function placeOf(path: string): Promise<ConfigurationPlace> {
  const target = await targetOf(path);
  const found = await undefinedIfMissing(stat(target));
  if (found !== undefined && (!found.isFile() || found.size > MAX_BYTES)) {
    throw new Error(l10n.t('{0} is not a configuration file. Nothing was changed.', target));
  }
  return {
    path,
    target,
    repository: await repositoryOf(dirname(target)),
    isOpenToOthers: process.platform !== 'win32' && found !== undefined && (found.mode & OTHERS) !== 0,
    hasOtherLinks: found !== undefined && found.nlink > 1,
  };
}

/**
 * Like {@link placeOf}, for a file that the user has seen.
 * @param shown The target that was shown.
 * @throws if a link has changed since, so that a key would be written to a file that the user has not seen.
 */
export async function placeShown(path: string, shown: string | undefined): Promise<ConfigurationPlace> {
  const place = await placeOf(path);
  if (place.target === shown) return place;
  throw new Error(l10n.t('{0} now points to {1}. Review the changes and connect again.', path, place.target));
}

/**
 * Returns notes for the user before a key is written there. Empty for a file that is not a link, not in a repository,
 * and private.
 */
export function describePlace(place: ConfigurationPlace): string[] {
  const { path, target, repository, isOpenToOthers, hasOtherLinks } = place;
  return [
    ...(target === path ? [] : [l10n.t('{0} is a link. The file that changes is {1}.', path, target)]),
    ...(repository === undefined
      ? []
      : [l10n.t('This file is in the Git repository {0}. Make sure that the key is not committed.', repository)]),
    ...(isOpenToOthers ? [l10n.t('Other users of this machine can read this file now. Only you can afterwards.')] : []),
    ...(hasOtherLinks ? [l10n.t('Other hard links to this file keep the earlier content.')] : []),
  ];
}

async function targetOf(path: string): Promise<string> {
  const real = await undefinedIfMissing(realpath(path));
  if (real !== undefined) return real;
  if ((await undefinedIfMissing(lstat(path)))?.isSymbolicLink()) {
    throw new Error(l10n.t('{0} is a link to a file that does not exist. Nothing was changed.', path));
  }
  const folder = dirname(path);
  return folder === path ? path : join(await targetOf(folder), basename(path));
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  if ((await undefinedIfMissing(stat(join(folder, '.git')))) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : await repositoryOf(above);
}
