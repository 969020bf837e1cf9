/**
 * A unified diff as answers have it. They often miscount lines, leave numbers out or drop the space before a line that
 * stays, so only the marks before the lines are relied on.
 */

export interface DiffLine {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** One change with the lines around it. */
export interface DiffHunk {
  /** Its line with `@@` as it is written; empty where there is none. */
  readonly header: string;
  /** Where it begins in the old text, in lines counted from 1; absent where the diff does not say. */
  readonly start?: number;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  /** Of the file as it is now, or is to be; absent where the diff names none. */
  readonly path?: string;
  /** `created`, `deleted`: the other side is `/dev/null`. */
  readonly kind: 'changed' | 'created' | 'deleted';
  readonly hunks: readonly DiffHunk[];
}

const HUNK = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*|.*)$/;
const NOTHING = '/dev/null';

/** What stands between the files of a diff of Git, and says nothing about lines. */
const EXTENDED = /^(?:index|new file|deleted file|old mode|new mode|similarity|rename|copy|Binary files) /;

/**
 * @param isCalledDiff whether the answer says that this is a diff: then it may lack all headings.
 * @returns undefined for code that is no diff.
 */
export function parseDiff(code: string, isCalledDiff: boolean): readonly FileDiff[] | undefined {
  const reader = new DiffReader(isCalledDiff);
  const lines = code.split(/\r?\n/);
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
  readonly lines: DiffLine[];
}

interface OpenFile {
  oldPath?: string;
  newPath?: string;
  readonly hunks: OpenHunk[];
}

class DiffReader {
  /** A heading of a hunk or of a file was there. */
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
        hunks: hunks.map(withoutBlankEnds).filter(changes),
        ...(path !== undefined && path !== NOTHING && { path }),
      };
    });
  }

  read(line: string, next: string): void {
    const hunk = HUNK.exec(line);
    if (hunk !== null) this.#openHunk(line, hunk[1]);
    else if (line.startsWith('diff --git ')) this.#openFile();
    else if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      // After Git's own heading the file is open already.
      if (this.#files.at(-1)?.hunks.length !== 0) this.#openFile();
      this.#file.oldPath = pathIn(line);
      this.#hunk = undefined;
    } else if (line.startsWith('+++ ') && this.#hunk === undefined && this.#file.oldPath !== undefined) {
      this.hasHeading = true;
      this.#file.newPath = pathIn(line);
    } else if (!line.startsWith('\\') && !(this.#hunk === undefined && EXTENDED.test(line))) {
      this.#readLine(line);
    }
  }

  #readLine(line: string): void {
    if (this.#hunk === undefined) {
      // Words before the first hunk are none of its lines.
      if (!this.#isCalledDiff || !/^[-+ ]/.test(line)) return;
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

function diffLine(line: string): DiffLine {
  if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
  if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
  return { kind: 'kept', text: line.startsWith(' ') ? line.slice(1) : line };
}

/** Blank lines at the ends are those between the hunks as they are written. */
function withoutBlankEnds({ lines, ...hunk }: OpenHunk): DiffHunk {
  const says = ({ kind, text }: DiffLine) => kind !== 'kept' || text.trim() !== '';
  return { ...hunk, lines: lines.slice(Math.max(0, lines.findIndex(says)), lines.findLastIndex(says) + 1) };
}

/** The path after `--- ` or `+++ `, without Git's prefix and a time that may follow. */
function pathIn(line: string): string {
  const written = (line.slice(4).split('\t', 1)[0] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return written === NOTHING ? written : written.replace(/^[abciow]\//, '');
}
