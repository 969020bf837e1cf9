import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { hasCode } from '../display/errors.ts';
import { replacePrivateFile, writePrivateFile } from '../files/privateFiles.ts';
import { undefinedIfMissing } from '../files/undefinedIfMissing.ts';
import { type ConfigurationFormatName, configurationFormat } from './configuration/configurationFormat.ts';
import { type AppliedChange, appliedChanges, applyChanges, type Change, revertChanges } from './configuration/edits.ts';
import { placeOf, placeShown } from './configurationPlace.ts';

const BACKUP = '.before-model-access';
/** Far longer than any tool's configuration. Editing 1 MB can keep the extension host busy for half a minute. */
const MAX_EDITED_BYTES = 256 * 1024;

/** The stored data of a changed file. It contains no values, because these may be keys. */
export interface ConfigurationChange {
  readonly path: string;
  /** The real path after following links. */
  readonly target: string;
  readonly format: ConfigurationFormatName;
  /** The path of the backup. Undefined if the file was created by connecting the tool. */
  readonly backup?: string;
  /** The previous permissions. */
  readonly mode?: number;
  /** The SHA-256 digest of the file's bytes after the change. */
  readonly digest: string;
  readonly changes: readonly AppliedChange[];
}

/** Returns the first file that exists, or else the first one. */
export async function chooseFile(files: readonly [string, ...string[]]): Promise<string> {
  for (const file of files) if ((await undefinedIfMissing(lstat(file))) !== undefined) return file;
  return files[0];
}

/**
 * Edits a tool's configuration in place, and makes it readable only for the user, because it now contains a key. The
 * previous bytes are kept in a backup beside it.
 * @param shown The target that the user has seen, without links. Undefined if nothing was shown.
 * @throws {SyntaxError} if the file is not valid.
 * @throws if another program writes the file or changes its links at the same time.
 */
export async function changeFile(
  path: string,
  format: ConfigurationFormatName,
  changes: readonly Change[],
  shown?: string,
): Promise<ConfigurationChange> {
  const { target } = await (shown === undefined ? placeOf(path) : placeShown(path, shown));
  const before = await undefinedIfMissing(readFile(target));
  const after = applyChanges(await configurationFormat(format), editableText(before, target), changes);
  const digest = digestOf(Buffer.from(after));
  const changed = { path, target, format, digest, changes: appliedChanges(changes) };
  if (before === undefined) {
    await mkdir(dirname(target), { recursive: true });
    await checkUnchanged(path, target, before);
    await replacePrivateFile(target, after);
    return changed;
  }
  const { mode } = await stat(target);
  const backup = await backUp(path, before);
  try {
    await checkUnchanged(path, target, before);
    await replacePrivateFile(target, after);
  } catch (error) {
    // For example, the disk is full. Each attempt would leave another backup.
    await rm(backup, { force: true });
    throw error;
  }
  return { ...changed, backup, mode: mode & 0o777 };
}

/** @throws if the file is another one than the one that was read, or its path leads elsewhere. */
async function checkUnchanged(path: string, target: string, before: Buffer | undefined): Promise<void> {
  await placeShown(path, target);
  const present = await undefinedIfMissing(readFile(target));
  if (before === undefined ? present === undefined : present?.equals(before)) return;
  throw new Error(l10n.t('Another program changed {0} at the same time. Try again.', target));
}

/**
 * Returns the text of a file that is to be changed; empty if it does not exist.
 * @throws if it is too long, or not in UTF-8, because the bytes of other encodings would be lost.
 */
export function editableText(bytes: Buffer | undefined, path: string): string {
  if (bytes === undefined || bytes.length <= MAX_EDITED_BYTES) return configurationText(bytes, path);
  throw new Error(l10n.t('{0} is too long for a configuration file. Nothing was changed.', path));
}

function configurationText(bytes: Buffer | undefined, path: string): string {
  if (bytes === undefined) return '';
  if (!isUtf8(bytes)) throw new Error(l10n.t('{0} is not in UTF-8. Save it in this encoding and try again.', path));
  return bytes.toString('utf8');
}

/** Returns the file's text after {@link restoreFile}; empty if the file would be removed. */
export async function restoredText(file: ConfigurationChange): Promise<string> {
  const restored = await restoredBytes(file);
  return restored.kind === 'gone' ? '' : restored.bytes.toString('utf8');
}

/** Restores the file byte for byte if it was not changed since; otherwise, only removes what was written. */
export async function restoreFile(file: ConfigurationChange): Promise<void> {
  const { target } = await placeOf(file.path);
  const restored = await restoredBytes(file);
  if (restored.kind === 'gone') await rm(target, { force: true });
  else {
    const mode = restored.kind === 'edited' ? (await stat(target)).mode : file.mode;
    await replacePrivateFile(target, restored.bytes);
    if (mode !== undefined) await chmod(target, mode);
  }
  if (file.backup !== undefined) await rm(file.backup, { force: true });
}

type Restored =
  | { readonly kind: 'gone' }
  /** With the bytes from before, or with the current bytes without our changes. */
  | { readonly kind: 'original' | 'edited'; readonly bytes: Buffer };

async function restoredBytes(file: ConfigurationChange): Promise<Restored> {
  const { path, format, backup, digest, changes } = file;
  const present = await undefinedIfMissing(readFile((await placeOf(path)).target));
  const before = backup === undefined ? undefined : await undefinedIfMissing(readFile(backup));
  if (present === undefined) return { kind: 'gone' };
  if (digestOf(present) === digest && (backup === undefined || before !== undefined)) {
    return before === undefined ? { kind: 'gone' } : { kind: 'original', bytes: before };
  }
  const text = (bytes: Buffer | undefined) => configurationText(bytes, path);
  const reverted = revertChanges(await configurationFormat(format), text(present), text(before), changes);
  return { kind: 'edited', bytes: Buffer.from(reverted) };
}

/** Never overwrites an existing backup, which belongs to an earlier connection or another profile. */
async function backUp(path: string, bytes: Uint8Array): Promise<string> {
  for (let count = 1; ; count += 1) {
    const backup = path + BACKUP + (count === 1 ? '' : `.${count}`);
    try {
      await writePrivateFile(backup, bytes, 'wx');
      return backup;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue;
      // For example, the disk is full: a part of a copy is none.
      await rm(backup, { force: true });
      throw error;
    }
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
