/**
 * Parses unified diffs as answers contain them, and the patches of coding agents (`*** Begin Patch`), which mark their lines
 * in the same way. Models often miscount lines, omit line numbers, or drop the space before an unchanged line, so only the
 * marks before the lines are relied on.
 */
import { isMark } from './marks.ts';

export interface UnifiedDiffLine {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** A change with the lines around it. */
export interface DiffHunk {
  /** The hunk's line with `@@` as written; empty if there is none. */
  readonly header: string;
  /** The first line in the old text, counted from 1. Undefined if the diff does not contain it. */
  readonly start?: number;
  readonly lines: readonly UnifiedDiffLine[];
}

export interface FileDiff {
  /** The file's path, before or after the change. Undefined if the diff contains none. */
  readonly path?: string;
  /** `created`, `deleted`: the other side is `/dev/null`. */
  readonly kind: 'changed' | 'created' | 'deleted';
  readonly hunks: readonly DiffHunk[];
}

const HUNK = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*|.*)$/;
const NOTHING = '/dev/null';

/** The lines of a coding agent's patch around its changes. */
const ENVELOPE = /^\*\*\* (?:(Update|Add|Delete) File: (.+?)|Move to: .+|Begin Patch|End Patch|End of File)\s*$/;

/** Lines between the files of a Git diff that describe no changed lines. */
const EXTENDED = /^(?:index|new file|deleted file|old mode|new mode|similarity|rename|copy|Binary files) /;

/**
 * @param isCalledDiff Whether the answer calls it a diff. It may then lack all headings.
 * @returns undefined for code that is not a diff.
 */
export function parseDiff(code: string, isCalledDiff: boolean): readonly FileDiff[] | undefined {
  const reader = new DiffReader(isCalledDiff);
  // The last line ends with the code block, and adds nothing.
  const lines = code.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) reader.read(line, lines[index + 1] ?? '');
  const files = reader.files.filter(({ kind, hunks }) => hunks.length > 0 || kind === 'deleted');
  return files.length > 0 && (reader.hasHeading || isCalledDiff) ? files : undefined;
}

function changes({ lines }: DiffHunk): boolean {
  return lines.some(({ kind }) => kind !== 'kept');
}

interface OpenHunk {
  readonly header: string;
  readonly start?: number;
  readonly lines: UnifiedDiffLine[];
}

interface OpenFile {
  oldPath?: string;
  newPath?: string;
  readonly hunks: OpenHunk[];
}

class DiffReader {
  /** Whether a heading of a hunk or a file was found. */
  hasHeading = false;
  readonly #isCalledDiff: boolean;
  readonly #files: OpenFile[] = [];
  #hunk: OpenHunk | undefined;

  constructor(isCalledDiff: boolean) {
    this.#isCalledDiff = isCalledDiff;
  }

  get files(): readonly FileDiff[] {
    return this.#files.map(({ oldPath, newPath, hunks }) => {
      const path = newPath === undefined || newPath === NOTHING ? oldPath : newPath;
      const kind = newPath === NOTHING ? 'deleted' : oldPath === NOTHING ? 'created' : 'changed';
      return {
        kind,
        hunks: hunks.flatMap(withoutMarks).map(withoutBlankEnds).filter(changes),
        ...(path !== undefined && path !== NOTHING && { path }),
      };
    });
  }

  read(line: string, next: string): void {
    const hunk = HUNK.exec(line);
    const envelope = ENVELOPE.exec(line);
    if (hunk !== null) this.#openHunk(line, hunk[1]);
    else if (envelope !== null) this.#readEnvelope(envelope[1], envelope[2]);
    else if (line.startsWith('diff --git ')) this.#openFile();
    else if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      // After Git's own heading, the file is already open.
      if (this.#files.at(-1)?.hunks.length !== 0) this.#openFile();
      this.#file.oldPath = pathIn(line);
      this.#hunk = undefined;
    } else if (
      line.startsWith('+++ ') &&
      this.#hunk === undefined &&
      (this.#file.oldPath !== undefined || next.startsWith('@@'))
    ) {
      this.hasHeading = true;
      this.#file.newPath = pathIn(line);
    } else if (!line.startsWith('\\') && !(this.#hunk === undefined && EXTENDED.test(line))) {
      this.#readLine(line);
    }
  }

  #readEnvelope(action: string | undefined, path: string | undefined): void {
    this.hasHeading = true;
    this.#hunk = undefined;
    if (action === undefined || path === undefined) return;
    this.#openFile();
    this.#file.oldPath = action === 'Add' ? NOTHING : path;
    this.#file.newPath = action === 'Delete' ? NOTHING : path;
  }

  #readLine(line: string): void {
    if (this.#hunk === undefined) {
      // Text before the first hunk does not belong to it.
      const isInFile = this.#isCalledDiff || this.#files.at(-1)?.newPath !== undefined;
      if (!isInFile || !/^[-+ ]/.test(line)) return;
      const { hunks } = this.#file;
      this.#hunk = { header: '', lines: [] };
      hunks.push(this.#hunk);
    }
    this.#hunk.lines.push(diffLine(line));
  }

  #openHunk(header: string, start: string | undefined): void {
    this.hasHeading = true;
    const { hunks } = this.#file;
    this.#hunk = { header, lines: [], ...(start !== undefined && { start: Number(start) }) };
    hunks.push(this.#hunk);
  }

  #openFile(): void {
    this.#files.push({ hunks: [] });
    this.#hunk = undefined;
  }

  get #file(): OpenFile {
    if (this.#files.length === 0) this.#openFile();
    return this.#files.at(-1) ?? { hunks: [] };
  }
}

function diffLine(line: string): UnifiedDiffLine {
  if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
  if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
  return { kind: 'kept', text: line.startsWith(' ') ? line.slice(1) : line };
}

/** A mark for omitted lines separates two changes. */
function withoutMarks(hunk: OpenHunk): readonly OpenHunk[] {
  const { start: _, ...rest } = hunk;
  const parts: OpenHunk[] = [{ ...hunk, lines: [] }];
  for (const line of hunk.lines) {
    if (line.kind === 'kept' && isMark(line.text)) parts.push({ ...rest, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** Removes blank lines at the ends, which only separate the hunks. */
function withoutBlankEnds({ lines, ...hunk }: OpenHunk): DiffHunk {
  const says = ({ kind, text }: UnifiedDiffLine) => kind !== 'kept' || text.trim() !== '';
  return { ...hunk, lines: lines.slice(Math.max(0, lines.findIndex(says)), lines.findLastIndex(says) + 1) };
}

/** Returns the path after `--- ` or `+++ `, without Git's prefix and a timestamp after it. */
function pathIn(line: string): string {
  const written = (line.slice(4).split('\t', 1)[0] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return written === NOTHING ? written : written.replace(/^[abciow]\//, '');
}

/** The paths in the heads of a diff, before and after. */
export function changedPaths(diff: string): readonly string[] {
  return [...diff.matchAll(/^(?:---|\+\+\+) "?[ab]\/([^"\t\n\r]+)/gm)].map(([, path = '']) => path);
}
