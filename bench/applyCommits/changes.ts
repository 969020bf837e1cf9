/** Takes changes of single files from the histories of Git repositories, the same ones for the same seed and commits. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname, extname } from 'node:path';

export interface CommitChange {
  /** The repository, the commit, and the path, by which people find it again. */
  readonly name: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Nobody reads the changes of the other half while code is changed for those of this one. */
  readonly isRead: boolean;
}

const MAX_COMMITS = 3_000;
const [MIN_CHANGED, MAX_CHANGED] = [2, 80];
const [MIN_LINES, MAX_LINES] = [30, 2_500];
/** How many changes are looked at for each that is taken. */
const MAX_TRIED = 10;
/** Changes of texts and data of a repository are at most this share of those that are taken. */
const MAX_DATA_SHARE = 0.15;
const DATA = /\.(?:md|ya?ml|json)$/;
const GENERATED = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|dist\/|vendor\/|.*\.min\.)/;

/** @param extensions those that can be parsed, with their dots. */
export function changesIn(
  folder: string,
  extensions: ReadonlySet<string>,
  { seed, count }: { readonly seed: string; readonly count: number },
): readonly CommitChange[] {
  const repository = basename(folder) === 'repo' ? basename(dirname(folder)) : basename(folder);
  const order = (one: FoundChange) => hash(`${seed} ${one.commit} ${one.path}`);
  const found = candidatesIn(folder)
    .filter(({ path }) => extensions.has(extname(path)) && !GENERATED.test(path))
    .map((one) => ({ ...one, order: order(one) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const taken: CommitChange[] = [];
  const counts = new Map<string, number>();
  const texts = textsOf(
    folder,
    found.slice(0, count * MAX_TRIED).flatMap(({ commit, path }) => [`${commit}^:${path}`, `${commit}:${path}`]),
  );
  for (const [index, { commit, path }] of found.entries()) {
    if (taken.length === count) break;
    const kind = extname(path);
    if (DATA.test(path) && (counts.get(kind) ?? 0) >= count * MAX_DATA_SHARE) continue;
    const [before, after] = [texts[index * 2], texts[index * 2 + 1]];
    if (before === undefined || after === undefined || !isUsual(before) || !isUsual(after)) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const name = `${repository} ${commit.slice(0, 10)} ${path}`;
    taken.push({ name, path, before, after, isRead: Number.parseInt(hash(name).slice(0, 2), 16) % 2 === 0 });
  }
  return taken;
}

interface FoundChange {
  readonly commit: string;
  readonly path: string;
}

function candidatesIn(folder: string): readonly FoundChange[] {
  const options = ['--no-merges', '--diff-filter=M', '--no-renames', '--numstat', '--format=%x00%H'];
  const log = git(folder, ['log', '-n', String(MAX_COMMITS), ...options]);
  return log
    .toString()
    .split('\0')
    .flatMap((part) => {
      const [commit = '', ...rows] = part.split('\n');
      return rows.flatMap((row) => {
        const [added, removed, path] = row.split('\t');
        const changed = Number(added) + Number(removed);
        return path !== undefined && changed >= MIN_CHANGED && changed <= MAX_CHANGED ? [{ commit, path }] : [];
      });
    });
}

function isUsual(text: string): boolean {
  const count = text.split('\n').length;
  return count >= MIN_LINES && count <= MAX_LINES && !text.includes('\r') && !text.includes('\0');
}

/** Undefined where the repository has no such version, because it is the first one or not part of the copy. */
function textsOf(folder: string, names: readonly string[]): readonly (string | undefined)[] {
  const output = git(folder, ['cat-file', '--batch'], `${names.join('\n')}\n`);
  let at = 0;
  return names.map(() => {
    const end = output.indexOf('\n', at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1];
    at = end + 1;
    if (size === undefined) return undefined;
    const text = output.toString('utf8', at, at + Number(size));
    at += Number(size) + 1;
    return text.replace(/^\uFEFF/, '');
  });
}

function git(folder: string, args: readonly string[], input = ''): Buffer {
  return execFileSync('git', ['-C', folder, ...args], { input, maxBuffer: 1 << 30 });
}

export function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
