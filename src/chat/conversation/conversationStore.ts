import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { appendPrivateFile, ensurePrivateFolder } from '../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import { type Conversation, conversationOf } from './conversation.ts';
import { type ConversationRecord, parseLines, toLine, type WrittenRecord } from './record.ts';

/**
 * A window that writes an answer touches the file every second. After this time without a change, none does. In
 * milliseconds.
 */
const ALIVE_MS = 3500;

const EXTENSION = '.jsonl';

const NEW_LINE = 0x0a;

/** The folder of deleted conversations while their deletion can be undone. */
const DELETED_FOLDER = 'deleted';

/** The end of a file, from an offset on. Lengths and offsets are in bytes. */
export interface FileTail {
  readonly records: readonly WrittenRecord[];
  /** The offset of the next read: after the last complete line. */
  readonly end: number;
}

export interface StoredConversation {
  readonly conversation: Conversation;
  readonly end: number;
}

export interface FollowedConversation extends StoredConversation {
  /** The IDs of answers that other windows are writing, which do not count as stopped. */
  readonly elsewhere: readonly string[];
  /** The IDs of answers that this window wrote. Only it may append to them. */
  readonly own: readonly string[];
}

export interface FileStamp {
  readonly id: string;
  readonly bytes: number;
  /** In milliseconds since the epoch. */
  readonly writtenAt: number;
}

/**
 * Conversations as append-only files with one JSON record per line. Nothing is rewritten, so a crash loses at most the
 * record being written, and several windows may append to one file. Each line names the window that wrote it.
 */
export class ConversationStore {
  readonly folder: string;
  /** The URI of this window's workspace, in which new conversations begin. */
  readonly workspace: string | undefined;
  /** Distinguishes this window's lines from those of others. */
  readonly writer = randomBytes(4).toString('hex');
  /** Appends run one at a time. */
  #writing: Promise<void> = Promise.resolve();
  /** Files that this window has appended to: their last line is complete. */
  readonly #begun = new Set<string>();
  readonly #onDamage: ((message: string) => void) | undefined;
  /** Damaged files that were reported, which is done once for each. */
  readonly #reported = new Set<string>();

  /** @param onDamage called with a sentence for the log about each file with damaged lines. */
  constructor(folder: string, workspace?: string, onDamage?: (message: string) => void) {
    this.folder = folder;
    this.workspace = workspace;
    this.#onDamage = onDamage;
  }

  /** Resolves when the records are in the file. They are written in the order of the calls. */
  append(conversationId: string, records: readonly ConversationRecord[]): Promise<void> {
    const lines = records.map((record) => toLine(record, this.writer)).join('');
    const written = this.#writing.then(async () => {
      await ensurePrivateFolder(this.folder);
      const path = this.#path(conversationId);
      // A line that a crash cut off would corrupt the next one.
      const isTorn = !this.#begun.has(path) && !(await endsWithLine(path));
      await appendPrivateFile(path, isTorn ? `\n${lines}` : lines);
      this.#begun.add(path);
    });
    // A failed write is reported by its caller. It must not make the next one fail.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Resolves when everything appended so far is in its file. */
  whenWritten(): Promise<void> {
    return this.#writing;
  }

  /** Returns `undefined` if the conversation does not exist. */
  async read(conversationId: string): Promise<StoredConversation | undefined> {
    const tail = await this.readFrom(conversationId, 0);
    if (tail === undefined) return undefined;
    const records = tail.records.map(({ record }) => record);
    return { conversation: conversationOf(conversationId, records), end: tail.end };
  }

  /** Like `read`, with the answers that other windows are writing, as far as they have been written. */
  async readAndFollow(conversationId: string): Promise<FollowedConversation | undefined> {
    const isAlive = await this.isAlive(conversationId);
    const tail = await this.readFrom(conversationId, 0);
    if (tail === undefined) return undefined;
    const elsewhere = isAlive ? unfinishedOf(tail.records, this.writer) : [];
    const records = tail.records.map(({ record }) => record);
    const own = answersBy(tail.records, this.writer);
    return { conversation: conversationOf(conversationId, records, elsewhere), end: tail.end, elsewhere, own };
  }

  /** Whether a window has written to the file, or touched it, within the last seconds. */
  async isAlive(conversationId: string): Promise<boolean> {
    const found = await this.stamp(conversationId);
    return found !== undefined && Date.now() - found.writtenAt < ALIVE_MS;
  }

  /** Signals to other windows that this one is still working on a conversation although it writes nothing. */
  async touch(conversationId: string): Promise<void> {
    const now = new Date();
    await undefinedIfMissing(utimes(this.#path(conversationId), now, now));
  }

  /** The records after this offset. Returns `undefined` if the conversation does not exist. */
  async readFrom(conversationId: string, start: number): Promise<FileTail | undefined> {
    const path = this.#path(conversationId);
    const bytes = await readEnd(path, start);
    if (bytes === undefined) return undefined;
    // A line without an end may still be being written.
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1);
    let damaged = 0;
    const records = parseLines(whole.toString('utf8'), () => {
      damaged += 1;
    });
    if (damaged > 0 && !this.#reported.has(path)) {
      this.#reported.add(path);
      this.#onDamage?.(`Skipped lines of ${path}: ${damaged} damaged.`);
    }
    return { records, end: start + whole.length };
  }

  /** All files, in no particular order. */
  async stamps(): Promise<FileStamp[]> {
    const names = await undefinedIfMissing(readdir(this.folder));
    // Other programs may leave files there, such as copies of a file.
    const ids = (names ?? []).flatMap((name) => conversationOfFile(name) ?? []).filter(isId);
    const stamps = await Promise.all(ids.map((id) => this.stamp(id)));
    return stamps.filter((found) => found !== undefined);
  }

  async stamp(id: string): Promise<FileStamp | undefined> {
    const found = await undefinedIfMissing(stat(this.#path(id)));
    return found?.isFile() ? { id, bytes: found.size, writtenAt: Math.floor(found.mtimeMs) } : undefined;
  }

  /** Removes a conversation from the list. Its file is kept until {@link purge}. */
  async delete(id: string): Promise<void> {
    await this.#writing;
    await ensurePrivateFolder(join(this.folder, DELETED_FOLDER));
    await rename(this.#path(id), this.#deletedPath(id));
    for (const name of foldersOf(id)) {
      await undefinedIfMissing(rename(join(this.folder, name), join(this.folder, DELETED_FOLDER, name)));
    }
  }

  async restore(id: string): Promise<void> {
    for (const name of foldersOf(id)) {
      await undefinedIfMissing(rename(join(this.folder, DELETED_FOLDER, name), join(this.folder, name)));
    }
    await rename(this.#deletedPath(id), this.#path(id));
  }

  /** The folder of a conversation's images, which exists only if there are any. */
  imagesPath(id: string): string {
    return join(this.folder, imagesName(id));
  }

  /** The folder of the files that a run of the agent has changed, as they were before. */
  checkpointPath(id: string, run: string): string {
    return join(this.folder, checkpointsName(id), run);
  }

  /**
   * Permanently removes deleted conversations: a single one, or all that were deleted longer ago than this time in
   * milliseconds.
   */
  async purge(what: string | { readonly olderThanMs: number }): Promise<void> {
    if (typeof what === 'string') {
      await rm(this.#deletedPath(what), { force: true });
      for (const name of foldersOf(what))
        await rm(join(this.folder, DELETED_FOLDER, name), { recursive: true, force: true });
      return;
    }
    const folder = join(this.folder, DELETED_FOLDER);
    for (const name of (await undefinedIfMissing(readdir(folder))) ?? []) {
      const path = join(folder, name);
      // Renaming a file sets its ctime.
      const found = await undefinedIfMissing(stat(path));
      if (found !== undefined && Date.now() - found.ctimeMs > what.olderThanMs)
        await rm(path, { recursive: true, force: true });
    }
  }

  #path(id: string): string {
    return join(this.folder, fileName(id));
  }

  #deletedPath(id: string): string {
    return join(this.folder, DELETED_FOLDER, fileName(id));
  }
}

/** The ID of the conversation that a file of the folder belongs to, if any. */
export function conversationOfFile(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** The answers without an end whose last line was written by another window. */
function unfinishedOf(records: readonly WrittenRecord[], writer: string): string[] {
  const open = new Map<string, string | undefined>();
  for (const { record, by } of records) {
    if (record.type === 'answer' || record.type === 'continued' || record.type === 'delta') open.set(record.id, by);
    else if (record.type === 'answerEnd') open.delete(record.id);
  }
  return [...open].flatMap(([id, by]) => (by === writer ? [] : [id]));
}

function answersBy(records: readonly WrittenRecord[], writer: string): string[] {
  return records.flatMap(({ record, by }) => (record.type === 'answer' && by === writer ? [record.id] : []));
}

function fileName(id: string): string {
  return `${idOf(id)}${EXTENSION}`;
}

function idOf(id: string): string {
  // This extension creates the IDs, but they are also read from stored state, and must not lead out of the folder.
  if (!isId(id)) throw new Error(`Not the id of a conversation: ${id}`);
  return id;
}

function isId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** The folders that belong to a conversation, and are deleted with it. */
function foldersOf(id: string): readonly string[] {
  return [imagesName(id), checkpointsName(id)];
}

function checkpointsName(id: string): string {
  return `${id}.checkpoints`;
}

function imagesName(id: string): string {
  return `${idOf(id)}.images`;
}

async function readEnd(path: string, start: number): Promise<Buffer | undefined> {
  const file = await undefinedIfMissing(open(path));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const length = Math.max(0, size - start);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Also true for an empty file and for one that does not exist. */
async function endsWithLine(path: string): Promise<boolean> {
  const found = await undefinedIfMissing(stat(path));
  if (found === undefined || found.size === 0) return true;
  return (await readEnd(path, found.size - 1))?.at(-1) === NEW_LINE;
}
