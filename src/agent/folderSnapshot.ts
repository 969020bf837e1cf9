import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../files/undefinedIfMissing.ts';
import { type CleanFile, contentsInGit, convertedContent, type FolderListing, listingOf } from './folderListing.ts';

/** What is copied before a command, of files that Git does not have as they are: their number, and bytes of one and of all. */
const MAX_COPIES = 2000;
const MAX_COPY = 4 * 1024 * 1024;
const MAX_COPIED = 64 * 1024 * 1024;
/** Files that are looked at at the same time. */
const AT_ONCE = 16;
/** How much earlier than its command a new file may seem to be created, since the times of file systems are coarse. */
const COARSE_MS = 100;

/** A file that was changed; paths are relative to the folder, with `/`. */
export interface EarlierFile {
  readonly path: string;
  /** Undefined if the file did not exist. */
  readonly before: Uint8Array | undefined;
}

/** What a command has changed in a folder. */
export interface FolderChanges {
  readonly changed: readonly EarlierFile[];
  /** Changed files whose earlier content is not known, because they were too large to be copied. */
  readonly unknown: readonly string[];
}

/** A file before the command: its content, or only what shows whether it has changed. */
type Copy = { readonly content: Buffer | undefined } | { readonly mark: string };

/** The bytes that may still be copied. */
interface Space {
  copies: number;
  bytes: number;
}

/**
 * The files of a folder before a command. Files that are as Git has them are not copied, because Git still has their
 * contents afterwards, whatever becomes of its index and branches. Ignored files and links are not looked at.
 */
export class FolderSnapshot {
  readonly #folder: string;
  readonly #git: string | undefined;
  readonly #takenAt: number;
  #clean: FolderListing['clean'] = new Map();
  #prefix = '';
  #copies: ReadonlyMap<string, Copy> = new Map();
  #nested: ReadonlyMap<string, FolderSnapshot> = new Map();

  private constructor(folder: string, git: string | undefined, takenAt: number) {
    this.#folder = folder;
    this.#git = git;
    this.#takenAt = takenAt;
  }

  /** @throws if the files cannot be listed in time. */
  static async take(
    folder: string,
    git: string | undefined,
    takenAt = Date.now(),
    space: Space = { copies: MAX_COPIES, bytes: MAX_COPIED },
  ): Promise<FolderSnapshot> {
    const snapshot = new FolderSnapshot(folder, git, takenAt);
    const { clean, loose, nested, prefix } = await listingOf(folder, git);
    snapshot.#clean = await withSizes(folder, clean);
    snapshot.#prefix = prefix;
    snapshot.#copies = new Map(
      await eachOf(loose, async (path) => [path, await copyOf(join(folder, path), space)] as const),
    );
    const inner = await eachOf(
      nested,
      async (path) => [path, await FolderSnapshot.take(join(folder, path), git, takenAt, space)] as const,
    );
    snapshot.#nested = new Map(inner);
    return snapshot;
  }

  /**
   * Compares the files with those of now.
   * @throws if more files were changed than this, or the files cannot be listed in time.
   */
  async changes(maxChanged = MAX_COPIES): Promise<FolderChanges> {
    const isThere = (await statOf(this.#folder)) !== undefined;
    const now = isThere ? await listingOf(this.#folder, this.#git) : NOTHING;
    const paths = new Set([...this.#copies.keys(), ...now.loose]);
    for (const [path, { name }] of this.#clean) if (now.clean.get(path)?.name !== name) paths.add(path);
    for (const path of now.clean.keys()) if (!this.#clean.has(path)) paths.add(path);
    if (paths.size - this.#copies.size > maxChanged) throw new Error(`More than ${maxChanged} files were changed.`);
    const contents = await this.#contents([...paths]);
    const compared = (await eachOf([...paths], (path) => this.#compared(path, contents))).flat();
    const cloned = now.nested.filter((path) => !this.#nested.has(path));
    const unknown = compared.filter((one) => one.before === 'unknown' || isMovedFromUnseen(one, compared));
    return this.#withNested(maxChanged, {
      changed: compared.filter((one): one is ChangedFile => !unknown.includes(one)),
      unknown: [...unknown.map(({ path }) => path), ...cloned],
    });
  }

  async #withNested(maxChanged: number, own: FolderChanges): Promise<FolderChanges> {
    const inner = await eachOf([...this.#nested], async ([folder, snapshot]) => {
      const { changed, unknown } = await snapshot.changes(maxChanged);
      return {
        changed: changed.map((file) => ({ ...file, path: `${folder}/${file.path}` })),
        unknown: unknown.map((path) => `${folder}/${path}`),
      };
    });
    const all = [own, ...inner];
    return { changed: all.flatMap(({ changed }) => changed), unknown: all.flatMap(({ unknown }) => unknown) };
  }

  /** Returns nothing for a file that is the same. */
  async #compared(path: string, contents: ReadonlyMap<string, Buffer>): Promise<readonly Compared[]> {
    const full = join(this.#folder, path);
    const stat = await statOf(full);
    const copy = this.#copies.get(path);
    if (copy !== undefined && 'mark' in copy) return markOf(stat) === copy.mark ? [] : [{ path, before: 'unknown' }];
    const before = await this.#before(path, contents);
    // New links and folders are not looked at.
    if (before === undefined && stat?.isFile() !== true) return [];
    if (before === 'unknown' || (stat?.size ?? 0) > MAX_COPY) return [{ path, before: 'unknown' }];
    const after = stat?.isFile() === true ? await undefinedIfMissing(readFile(full)) : undefined;
    if (before === undefined ? after === undefined : after?.equals(before) === true) return [];
    const born = stat?.birthtimeMs ?? 0;
    return [{ path, before, after, isOld: born > 0 && born < this.#takenAt - COARSE_MS }];
  }

  /** The contents in Git of files that were not copied. The command may have removed the repository. */
  async #contents(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    if (this.#git === undefined) return new Map();
    const names = paths.flatMap((path) => this.#clean.get(path)?.name ?? []);
    return contentsInGit(this.#folder, this.#git, [...new Set(names)]).catch(() => new Map());
  }

  async #before(path: string, contents: ReadonlyMap<string, Buffer>): Promise<Buffer | undefined | 'unknown'> {
    const copy = this.#copies.get(path);
    if (copy !== undefined && 'content' in copy) return copy.content;
    const clean = this.#clean.get(path);
    if (clean === undefined || this.#git === undefined) return undefined;
    const content = contents.get(clean.name);
    // A file can have other line ends than Git would write now.
    if (content === undefined || content.length === clean.size) return content ?? 'unknown';
    return convertedContent(this.#folder, this.#git, `${this.#prefix}${path}`, clean.name).catch(() => 'unknown');
  }
}

const NOTHING: FolderListing = { clean: new Map(), loose: [], nested: [], prefix: '' };

interface ChangedFile extends EarlierFile {
  readonly after: Buffer | undefined;
  /** Whether it is older than the command, although it may be new at this path. */
  readonly isOld: boolean;
}

type Compared = ChangedFile | { readonly path: string; readonly before: 'unknown'; readonly after?: undefined };

/** Whether a new file was moved here from where it was not seen, such as an ignored one. It exists only here. */
function isMovedFromUnseen({ before, isOld, after }: ChangedFile, all: readonly Compared[]): boolean {
  if (before !== undefined || !isOld || after === undefined) return false;
  return !all.some((one) => one.before instanceof Uint8Array && one.after === undefined && after.equals(one.before));
}

/** Git does not know the size of files that were written in the same moment as its index. */
async function withSizes(folder: string, clean: FolderListing['clean']): Promise<FolderListing['clean']> {
  const unknown = [...clean].filter(([, { size }]) => size === 0);
  const sized = await eachOf(unknown, async ([path, { name }]) => {
    const size = (await statOf(join(folder, path)))?.size ?? 0;
    return [path, { name, size } satisfies CleanFile] as const;
  });
  return sized.length === 0 ? clean : new Map([...clean, ...sized]);
}

async function copyOf(path: string, space: Space): Promise<Copy> {
  const stat = await statOf(path);
  if (stat === undefined) return { content: undefined };
  const fits = stat.isFile() && stat.size <= MAX_COPY && stat.size <= space.bytes && space.copies > 0;
  if (!fits) return { mark: markOf(stat) };
  space.copies -= 1;
  space.bytes -= stat.size;
  return { content: await undefinedIfMissing(readFile(path)) };
}

function markOf(stat: Awaited<ReturnType<typeof statOf>>): string {
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function statOf(path: string) {
  return undefinedIfMissing(lstat(path));
}

async function eachOf<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(act))));
  }
  return results;
}
