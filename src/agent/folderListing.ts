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

/** A file that is as Git has it. */
export interface CleanFile {
  /** The name of its content in Git. */
  readonly name: string;
  /** The bytes that it has on the disk, which differ if Git converts its line ends; 0 if Git does not know. */
  readonly size: number;
}

/** Paths are relative to the folder, with `/`. */
export interface FolderListing {
  readonly clean: ReadonlyMap<string, CleanFile>;
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

/** Returns contents by their names in Git. Those that the repository no longer has, or that are too large, are missing. */
export async function contentsInGit(
  folder: string,
  git: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (names.length === 0) return found;
  const checked = await output(folder, git, ['cat-file', '--batch-check'], `${names.join('\n')}\n`);
  const small = checked
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [name = '', type, size] = line.split(' ');
      return type === 'blob' && Number(size) <= MAX_CONTENT_BYTES ? [name] : [];
    });
  if (small.length === 0) return found;
  const written = await output(folder, git, ['cat-file', '--batch'], `${small.join('\n')}\n`);
  // A header with the size, the content, and a line break each.
  for (let at = 0; at < written.length; ) {
    const start = written.indexOf('\n', at) + 1;
    const [name = '', , size] = written
      .subarray(at, start - 1)
      .toString()
      .split(' ');
    const end = start + Number(size);
    found.set(name, written.subarray(start, end));
    at = end + 1;
  }
  return found;
}

/**
 * Returns a content of Git as the file has it, with the line ends that Git sets.
 * @param path from the root of the repository.
 */
export function convertedContent(folder: string, git: string, path: string, name: string): Promise<Buffer> {
  return output(folder, git, ['cat-file', '--filters', `--path=${path}`, name]);
}

/** Undefined if the folder is not in a repository, or is ignored there. */
async function listingByGit(folder: string, git: string): Promise<FolderListing | undefined> {
  let prefix: Buffer;
  let index: Buffer;
  let others: Buffer;
  try {
    [prefix, index, others] = await Promise.all([
      output(folder, git, ['rev-parse', '--show-prefix']),
      output(folder, git, ['ls-files', '-z', '--stage', '--debug']),
      output(folder, git, ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard']),
    ]);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
  const staged = stagedFiles(index);
  if (staged.length === 0 && (await isIgnored(folder, git))) return undefined;
  // Each line begins with a letter for the state of the file.
  const changed = lines(others).map((line) => line.slice(2));
  const conflicting = staged.filter(({ stage }) => stage !== '0').map(({ path }) => path);
  const loose = new Set([...changed.filter((path) => !path.endsWith('/')), ...conflicting]);
  const submodules = staged.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path);
  for (const path of submodules) loose.delete(path);
  const clean = staged.filter(({ mode, path }) => FILE_MODES.has(mode) && !loose.has(path));
  return {
    clean: new Map(clean.map(({ path, name, size }) => [path, { name, size }])),
    loose: [...loose],
    prefix: prefix.toString().replace(/\n$/, ''),
    nested: [...changed.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)), ...submodules],
  };
}

/** The mode, the name of the content, the stage, and the path of each file, and what Git knows about the file on the disk. */
const STAGED = /(\d{6}) ([\da-f]+) (\d)\t([^\0]*)\0(?: {2}\w+: .*\n)*?(?: {2}size: (\d+)\t.*\n)/g;

function stagedFiles(index: Buffer) {
  return [...index.toString('utf8').matchAll(STAGED)].map(([, mode = '', name = '', stage = '', path = '', size]) => {
    return { mode, name, stage, path, size: Number(size) };
  });
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

/** Whether Git is missing, or has ended with an error of its own, such as outside of a repository. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' || code === 'ENOENT';
}

async function output(folder: string, git: string, args: readonly string[], input = ''): Promise<Buffer> {
  const running = run(git, args, {
    cwd: folder,
    // Reading must not keep a command of the user from writing.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    encoding: 'buffer',
    timeout: MAX_GIT_MS,
    maxBuffer: MAX_GIT_BYTES,
    windowsHide: true,
  });
  // Git may end before it has read everything, and says why.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
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
