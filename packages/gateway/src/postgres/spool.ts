import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText, hasCode } from '../../../../src/display/errors.ts';
import { isRecord, parseJson } from '../../../../src/formats/json.ts';
import { hasEnded } from '../../../../src/ledger/runningRows.ts';
import type { TeamExchangeRow } from './exchangeRow.ts';

/** A file of this size, in bytes, is rewritten when most of its rows are in the database. */
const REWRITE_BYTES = 1024 * 1024;
const DEFAULT_SPOOL_BYTES = 64 * 1024 * 1024;

const FILE = 'exchanges.jsonl';
const OWNER = 'owner.json';

/** `open` is the state of an exchange when its upstream is asked, `closed` the state at its end. */
type SpoolRecord = { readonly open: TeamExchangeRow } | { readonly closed: TeamExchangeRow };

export interface SpoolOptions {
  /** Shared by all replicas of the machine. Each replica has its own subfolder. */
  readonly folder: string;
  readonly maxBytes?: number;
  /** Called when the file cannot be written, once until writing succeeds again. */
  readonly onProblem: (message: string) => void;
}

/**
 * The rows that are not in the database yet, in a local file. Appending takes a few microseconds. The data survives the
 * death of the process, but not of the machine.
 */
export class Spool {
  /** ID of the replica. Each process generates its own. */
  readonly replica = randomUUID();
  readonly #folder: string;
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #onProblem: (message: string) => void;
  readonly #lines = new Map<string, string>();
  #file: number;
  #fileBytes = 0;
  #liveBytes = 0;
  #isFailing = false;

  /** @throws if the folder cannot be used. */
  constructor({ folder, maxBytes = DEFAULT_SPOOL_BYTES, onProblem }: SpoolOptions) {
    this.#folder = join(folder, this.replica);
    this.#path = join(this.#folder, FILE);
    this.#maxBytes = maxBytes;
    this.#onProblem = onProblem;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#folder, OWNER), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
    this.#file = openSync(this.#path, 'a', 0o600);
  }

  get isFull(): boolean {
    return this.#isFailing || this.#liveBytes > this.#maxBytes;
  }

  /** Called before an upstream is asked, and again before each further attempt. */
  open(row: TeamExchangeRow): void {
    this.#append(row.id, { open: row });
  }

  /** Called when an exchange has ended. */
  close(row: TeamExchangeRow): void {
    this.#append(row.id, { closed: row });
  }

  /** Called when these rows are in the database. */
  settle(ids: readonly string[]): void {
    for (const id of ids) this.#forget(id);
    if (this.#fileBytes > REWRITE_BYTES && this.#liveBytes < this.#fileBytes / 2) this.#guard(() => this.#rewrite());
  }

  /** Removes the folder if all rows are in the database. Otherwise, the next replica to start reads it. */
  end(): void {
    closeSync(this.#file);
    if (this.#lines.size === 0) rmSync(this.#folder, { recursive: true, force: true });
  }

  #append(id: string, record: SpoolRecord): void {
    const line = `${JSON.stringify(record)}\n`;
    this.#forget(id);
    this.#lines.set(id, line);
    this.#liveBytes += line.length;
    this.#guard(() => {
      this.#fileBytes += writeSync(this.#file, line);
    });
  }

  #forget(id: string): void {
    const line = this.#lines.get(id);
    if (line === undefined) return;
    this.#lines.delete(id);
    this.#liveBytes -= line.length;
  }

  #rewrite(): void {
    const text = [...this.#lines.values()].join('');
    const draft = `${this.#path}.new`;
    writeFileSync(draft, text, { mode: 0o600 });
    const file = openSync(draft, 'a');
    renameSync(draft, this.#path);
    closeSync(this.#file);
    this.#file = file;
    this.#fileBytes = Buffer.byteLength(text);
  }

  #guard(work: () => void): void {
    try {
      work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onProblem(`The spool ${this.#path} cannot be written: ${errorText(error)}.`);
      this.#isFailing = true;
    }
  }
}

export interface LeftBehind {
  readonly replica: string;
  /** Exchanges that ended, and unfinished exchanges as `lost`. */
  readonly rows: readonly TeamExchangeRow[];
  /** Called when all rows are in the database. A damaged file is kept, and reported. */
  remove(): void;
}

/**
 * Returns the spools of this machine whose processes no longer run.
 * @param onProblem called with a sentence for the user about each damaged file.
 */
export function leftBehind(folder: string, onProblem: (message: string) => void): readonly LeftBehind[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isAbandoned(join(folder, entry.name), onProblem))
    .map(({ name }) => {
      const { rows, damaged } = readRows(join(folder, name, FILE));
      return { replica: name, rows, remove: () => remove(join(folder, name), damaged, onProblem) };
    });
}

function remove(folder: string, damaged: number, onProblem: (message: string) => void): void {
  if (damaged > 0) {
    const kept = `${folder}.damaged.jsonl`;
    renameSync(join(folder, FILE), kept);
    onProblem(`Damaged lines in ${kept} that are not in the database: ${damaged}.`);
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * In a container, a restarted process can have the same process ID as the one before. Folders of other machines are
 * ignored.
 */
function isAbandoned(folder: string, onProblem: (message: string) => void): boolean {
  const { pid, host } = (parseJson(textOf(join(folder, OWNER))) ?? {}) as { pid?: unknown; host?: unknown };
  if (typeof pid !== 'number' || typeof host !== 'string') {
    // A replica that starts at the same moment has written neither file yet.
    if (textOf(join(folder, FILE)) !== '')
      onProblem(`${join(folder, OWNER)} is damaged, so the requests in ${FILE} beside it are not recorded.`);
    return false;
  }
  return host === hostname() && (pid === process.pid || hasEnded(pid));
}

/** Whether it can be a row. The database checks its values. */
function isRow(row: unknown): row is TeamExchangeRow {
  return isRecord(row) && typeof row.id === 'string';
}

/** Skips damaged lines, such as the last one if the disk was full, and counts them. */
function readRows(path: string): { readonly rows: readonly TeamExchangeRow[]; readonly damaged: number } {
  const lines = textOf(path)
    .split('\n')
    .filter((line) => line !== '');
  const read = lines.map(rowIn).filter((row) => row !== undefined);
  return { rows: [...new Map(read.map((row) => [row.id, row])).values()], damaged: lines.length - read.length };
}

function rowIn(line: string): TeamExchangeRow | undefined {
  const record = parseJson(line);
  if (!isRecord(record)) return undefined;
  const { open, closed } = record as Partial<Record<'open' | 'closed', TeamExchangeRow>>;
  const row = closed ?? { ...open, ended: 'lost' };
  return isRow(row) ? row : undefined;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}
