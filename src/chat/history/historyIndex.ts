import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ensurePrivateDatabase } from '../../files/privateFiles.ts';
import type { FileStamp } from '../conversation/conversationStore.ts';
import type { ConversationSummary } from './summary.ts';

/** A changed version rebuilds the index, which contains nothing that the files do not. */
const VERSION = 4;

/** How long to wait for another window that is writing, in milliseconds. Waiting blocks this process. */
const BUSY_MS = 250;

const SCHEMA = `
  CREATE TABLE conversations (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    writtenAt INTEGER NOT NULL,
    summary TEXT
  );
  CREATE TABLE texts (row INTEGER PRIMARY KEY, body TEXT NOT NULL);
  PRAGMA user_version = ${VERSION};
`;

/** A file of the store as it was when it was read. The summary is undefined if it contains no conversation. */
export interface Indexed extends FileStamp {
  readonly summary: ConversationSummary | undefined;
}

export interface IndexAddition extends Indexed {
  readonly text: string;
}

/** A row of the index: its number, for the search, and what the list shows. */
export interface IndexedSummary {
  readonly row: number;
  readonly summary: ConversationSummary;
}

/**
 * The data for the list of conversations in one file, so that neither the list nor a search reads thousands of files.
 * The search scans the text: this takes tens of milliseconds for about ten megabytes, while a trigram index takes a
 * minute to build and four times the space.
 */
export class HistoryIndex {
  readonly #database: DatabaseSync;
  readonly #search: StatementSync;

  /** Opens the index. A damaged file, or one with another version, is rebuilt. */
  static open(path: string): HistoryIndex {
    try {
      return new HistoryIndex(path);
    } catch {
      HistoryIndex.remove(path);
      return new HistoryIndex(path);
    }
  }

  static remove(path: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  }

  private constructor(path: string) {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    ensurePrivateDatabase(path);
    this.#database = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#prepareTables();
      this.#search = this.#database.prepare('SELECT body FROM texts WHERE row = ?');
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The indexed version of each file, by conversation ID. */
  stamps(): Map<string, FileStamp> {
    const rows = this.#database.prepare('SELECT id, bytes, writtenAt FROM conversations').all();
    return new Map(rows.map((row) => [String(row.id), stampOf(row)]));
  }

  /** The summaries, in no particular order. */
  summaries(): IndexedSummary[] {
    const rows = this.#database.prepare('SELECT row, summary FROM conversations WHERE summary IS NOT NULL').all();
    return rows.map(({ row, summary }) => ({ row: Number(row), summary: JSON.parse(String(summary)) }));
  }

  put(additions: readonly IndexAddition[]): void {
    const put = this.#database.prepare(`
      INSERT INTO conversations (id, bytes, writtenAt, summary) VALUES (:id, :bytes, :writtenAt, :summary)
      ON CONFLICT (id) DO UPDATE SET bytes = :bytes, writtenAt = :writtenAt, summary = :summary
      RETURNING row`);
    const putText = this.#database.prepare('INSERT OR REPLACE INTO texts (row, body) VALUES (?, ?)');
    this.#transaction(() => {
      for (const { id, bytes, writtenAt, summary, text } of additions) {
        const json = summary === undefined ? null : JSON.stringify(summary);
        const row = put.get({ id, bytes, writtenAt, summary: json })?.row;
        if (row !== undefined) putText.run(row, text);
      }
    });
  }

  delete(ids: readonly string[]): void {
    const deleteText = this.#database.prepare(
      'DELETE FROM texts WHERE row = (SELECT row FROM conversations WHERE id = ?)',
    );
    const deleteRow = this.#database.prepare('DELETE FROM conversations WHERE id = ?');
    this.#transaction(() => {
      for (const id of ids) {
        deleteText.run(id);
        deleteRow.run(id);
      }
    });
  }

  /** Returns the rows from `first` to `last` whose text contains all of these words, ignoring case. */
  find(words: readonly string[], first: number, last: number): number[] {
    const conditions = words.map((word) =>
      caseVariants(word)
        .map(() => String.raw`body LIKE ? ESCAPE '\'`)
        .join(' OR '),
    );
    const sql = `SELECT row FROM texts WHERE row BETWEEN ? AND ? AND (${conditions.join(') AND (')})`;
    const patterns = words.flatMap(caseVariants).map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    return this.#database
      .prepare(sql)
      .all(first, last, ...patterns)
      .map(({ row }) => Number(row));
  }

  text(row: number): string {
    return String(this.#search.get(row)?.body ?? '');
  }

  close(): void {
    this.#database.close();
  }

  #prepareTables(): void {
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const version = this.#database.prepare('PRAGMA user_version').get()?.user_version;
    if (version === VERSION) return;
    this.#transaction(() => {
      this.#database.exec('DROP TABLE IF EXISTS conversations; DROP TABLE IF EXISTS texts');
      this.#database.exec(SCHEMA);
    });
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function stampOf({ id, bytes, writtenAt }: Record<string, unknown>): FileStamp {
  return { id: String(id), bytes: Number(bytes), writtenAt: Number(writtenAt) };
}

/** LIKE ignores case only for ASCII characters. */
function caseVariants(word: string): string[] {
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()];
  if (/^\p{ASCII}*$/u.test(word)) return [word];
  return [...new Set([word, lower, upper, `${upper.slice(0, 1)}${lower.slice(1)}`])];
}
