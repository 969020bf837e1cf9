/** Which files of a folder a command could change, with Git where the folder has it. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SKIPPED_NAMES } from '../files/paths.ts';

/** How long Git may take, in milliseconds, and how much it may write. */
const MAX_GIT_MS = 15_000;
const MAX_GIT_BYTES = 256 * 1024 * 1024;
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** Files of a folder without Git. */
const MAX_FILES = 5000;
/** The modes of regular files, and of repositories in a repository. */
const FILE_MODES = new Set(['100644', '100755']);
const SUBMODULE = '160000';

const run = promisify(execFile);

/** Paths are relative to the folder, with `/`. */
export interface FolderListing {
  /** The names of contents in Git, by the files that have exactly these contents. */
  readonly clean: ReadonlyMap<string, string>;
  /** Files that differ from what Git has, or that it does not have, except ignored ones. */
  readonly loose: readonly string[];
  /** Repositories of their own. */
  readonly nested: readonly string[];
  /** The path of the folder in its repository, with `/` at its end. */
  readonly prefix: string;
}

/**
 * Lists the files of a folder.
 * @param git the path of Git, if the editor has it.
 * @throws if a folder without Git has too many files, or Git takes too long.
 */
export async function listingOf(folder: string, git: string | undefined): Promise<FolderListing> {
  const listed = git === undefined ? undefined : await listingByGit(folder, git);
  return listed ?? { clean: new Map(), loose: await filesIn(folder), nested: [], prefix: '' };
}

/**
 * Returns the content that a file has in the working tree if Git has it under this name, with the line ends that it sets.
 * @param path from the root of the repository.
 * @throws if the repository no longer has it, or it is too large.
 */
export function contentInGit(folder: string, git: string, path: string, name: string): Promise<Buffer> {
  return output(folder, git, ['cat-file', '--filters', `--path=${path}`, name], MAX_CONTENT_BYTES);
}

/** Undefined if the folder is not in a repository, or is ignored there. */
async function listingByGit(folder: string, git: string): Promise<FolderListing | undefined> {
  let prefix: Buffer;
  let index: Buffer;
  let others: Buffer;
  try {
    [prefix, index, others] = await Promise.all([
      output(folder, git, ['rev-parse', '--show-prefix']),
      output(folder, git, ['ls-files', '-z', '--stage']),
      output(folder, git, ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard']),
    ]);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
  const staged = lines(index).map(stagedFile);
  if (staged.length === 0 && (await isIgnored(folder, git))) return undefined;
  // Each line begins with a letter for the state of the file.
  const changed = lines(others).map((line) => line.slice(2));
  const conflicting = staged.filter(({ stage }) => stage !== '0').map(({ path }) => path);
  const loose = new Set([...changed.filter((path) => !path.endsWith('/')), ...conflicting]);
  const submodules = staged.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path);
  for (const path of submodules) loose.delete(path);
  const clean = staged.filter(({ mode, path }) => FILE_MODES.has(mode) && !loose.has(path));
  return {
    clean: new Map(clean.map(({ path, name }) => [path, name])),
    loose: [...loose],
    prefix: prefix.toString().replace(/\n$/, ''),
    nested: [...changed.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)), ...submodules],
  };
}

/** A line of `git ls-files --stage`: the mode, the name of the content, the stage, and the path after a tab. */
function stagedFile(line: string) {
  const tab = line.indexOf('\t');
  const [mode = '', name = '', stage = ''] = line.slice(0, tab).split(' ');
  return { mode, name, stage, path: line.slice(tab + 1) };
}

async function isIgnored(folder: string, git: string): Promise<boolean> {
  try {
    await output(folder, git, ['check-ignore', '--quiet', '.']);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Whether Git has ended with an error of its own, such as outside of a repository. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'number';
}

async function output(
  folder: string,
  git: string,
  args: readonly string[],
  maxBuffer = MAX_GIT_BYTES,
): Promise<Buffer> {
  const { stdout } = await run(git, args, {
    cwd: folder,
    // Reading must not keep a command of the user from writing.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    encoding: 'buffer',
    timeout: MAX_GIT_MS,
    maxBuffer,
    windowsHide: true,
  });
  return stdout;
}

function lines(written: Buffer): string[] {
  return written.toString('utf8').split('\0').slice(0, -1);
}

async function filesIn(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED_NAMES.includes(entry.name)) folders.push(path);
      if (entry.isFile()) files.push(path);
    }
    if (files.length > MAX_FILES) throw new Error(`${root} has more than ${MAX_FILES} files, and no Git repository.`);
  }
  return files;
}
