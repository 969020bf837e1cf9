import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifThere } from '../files/ifThere.ts';
import type { Change } from './configuration/change.ts';
import { type AppliedChange, appliedChanges, applyChanges, revertChanges } from './configuration/edits.ts';
import { configurationFormat, type FormatName } from './configuration/formats.ts';

const BACKUP = '.before-model-access';

/** What is remembered of a file that was changed. No value of it, since that may be a key. */
export interface ChangedFile {
  readonly path: string;
  readonly format: FormatName;
  /** Else it was made by us, and there is no backup. */
  readonly existed: boolean;
  /** SHA-256 of its bytes after the change. */
  readonly digest: string;
  readonly changes: readonly AppliedChange[];
}

/** The first of the files that is there, else the first. */
export async function chooseFile(files: readonly [string, ...string[]]): Promise<string> {
  for (const file of files) if ((await readIfThere(file)) !== undefined) return file;
  return files[0];
}

/** Edits a tool's configuration in place; its bytes before that stay beside it. @throws {SyntaxError} */
export async function changeFile(path: string, format: FormatName, changes: readonly Change[]): Promise<ChangedFile> {
  const before = await readIfThere(path);
  const after = applyChanges(await configurationFormat(format), before ?? '', changes);
  if (before === undefined) await mkdir(dirname(path), { recursive: true });
  else await copyFile(path, path + BACKUP);
  await replace(path, after);
  const digest = digestOf(Buffer.from(after));
  return { path, format, existed: before !== undefined, digest, changes: appliedChanges(changes) };
}

/** Byte for byte as it was, when nobody else has changed it since; else only what was written is taken out. */
export async function restoreFile({ path, format, existed, digest, changes }: ChangedFile): Promise<void> {
  const present = await readIfThere(path);
  const before = existed ? await readIfThere(path + BACKUP) : undefined;
  if (present !== undefined) {
    if (digestOf(await readFile(path)) !== digest || (existed && before === undefined)) {
      await replace(path, revertChanges(await configurationFormat(format), present, before ?? '', changes));
    } else if (existed) await copyFile(path + BACKUP, path);
    else await rm(path);
  }
  await rm(path + BACKUP, { force: true });
}

function readIfThere(path: string): Promise<string | undefined> {
  return ifThere(readFile(path, 'utf8'));
}

/** In one step, so that a tool never reads half a file. A new one is for the user's eyes only: it holds a key. */
async function replace(path: string, text: string): Promise<void> {
  const isThere = (await readIfThere(path)) !== undefined;
  // Behind a link, such as those of people who keep their configuration in a repository.
  const target = isThere ? await realpath(path) : path;
  const draft = `${target}.${process.pid}.tmp`;
  await writeFile(draft, text, { mode: isThere ? (await stat(target)).mode : 0o600 });
  await rename(draft, target);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
