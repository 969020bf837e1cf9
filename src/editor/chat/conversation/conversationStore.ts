import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { appendPrivateFile, ensurePrivateFolder } from '../../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import { type Conversation, conversationOf } from './conversation.ts';
import { type ConversationRecord, parseLines, toLine, type WrittenRecord } from './record.ts';

/** A window that writes an answer touches the file each second, so after this time nobody does. In milliseconds. */
const ALIVE_MS = 3500;

const EXTENSION = '.jsonl';

const NEW_LINE = 0x0a;

/** Where deleted conversations wait until nobody can undo it any more. */
const DELETED_FOLDER = 'deleted';

/** The end of a file, from a place on. Lengths and places are in bytes. */
export interface FileTail {
  readonly records: readonly WrittenRecord[];
  /** Where the next reading begins: after the last whole line. */
  readonly end: number;
}

export interface StoredConversation {
  readonly conversation: Conversation;
  readonly end: number;
}

export interface FollowedConversation extends StoredConversation {
  /** Answers that other windows write now, by their ids: these are not counted as stopped. */
  readonly elsewhere: readonly string[];
  /** Answers that this window wrote, by their ids: it alone may write more of them. */
  readonly own: readonly string[];
}

export interface FileStamp {
  readonly id: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

/**
 * Conversations as append-only files, one JSON record a line. Nothing is ever rewritten, so a crash loses at most the
 * record that was being written, and several windows may append to one file. Each line names the window that wrote it.
 */
export class ConversationStore {
  readonly folder: string;
  /** Address of this window's workspace, in which new conversations begin. */
  readonly workspace: string | undefined;
  /** Tells this window's lines from those of others. */
  readonly writer = randomBytes(4).toString('hex');
  /** Appends run one after the other. */
  #writing: Promise<void> = Promise.resolve();
  /** Files that this window has appended to: their last line is whole. */
  readonly #begun = new Set<string>();

  constructor(folder: string, workspace?: string) {
    this.folder = folder;
    this.workspace = workspace;
  }

  /** Resolves once the records are in the file. Records are written in the order of the calls. */
  append(conversationId: string, records: readonly ConversationRecord[]): Promise<void> {
    const lines = records.map((record) => toLine(record, this.writer)).join('');
    const written = this.#writing.then(async () => {
      await ensurePrivateFolder(this.folder);
      const path = this.#path(conversationId);
      // What a crash tore would take the next line with it.
      const isTorn = !this.#begun.has(path) && !(await endsWithLine(path));
      await appendPrivateFile(path, isTorn ? `\n${lines}` : lines);
      this.#begun.add(path);
    });
    // A failed write is the caller's to report; the next one must not fail because of it.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Resolves once everything that was appended so far is in its file. */
  whenWritten(): Promise<void> {
    return this.#writing;
  }

  /** @returns `undefined` when there is no such conversation. */
  async read(conversationId: string): Promise<StoredConversation | undefined> {
    const tail = await this.readFrom(conversationId, 0);
    if (tail === undefined) return undefined;
    const records = tail.records.map(({ record }) => record);
    return { conversation: conversationOf(conversationId, records), end: tail.end };
  }

  /** The same, with the answers that other windows write at this moment as far as they have come. */
  async readAndFollow(conversationId: string): Promise<FollowedConversation | undefined> {
    const isAlive = await this.isAlive(conversationId);
    const tail = await this.readFrom(conversationId, 0);
    if (tail === undefined) return undefined;
    const elsewhere = isAlive ? unfinishedOf(tail.records, this.writer) : [];
    const records = tail.records.map(({ record }) => record);
    const own = answersBy(tail.records, this.writer);
    return { conversation: conversationOf(conversationId, records, elsewhere), end: tail.end, elsewhere, own };
  }

  /** Whether a window has written to the file, or touched it, a moment ago. */
  async isAlive(conversationId: string): Promise<boolean> {
    const found = await this.stamp(conversationId);
    return found !== undefined && Date.now() - found.writtenAt < ALIVE_MS;
  }

  /** Tells other windows that this one is still at work on a conversation, when it has nothing to write. */
  async touch(conversationId: string): Promise<void> {
    const now = new Date();
    await undefinedIfMissing(utimes(this.#path(conversationId), now, now));
  }

  /** The records after this place. @returns `undefined` when there is no such conversation. */
  async readFrom(conversationId: string, start: number): Promise<FileTail | undefined> {
    const bytes = await readEnd(this.#path(conversationId), start);
    if (bytes === undefined) return undefined;
    // A line without an end may still be being written.
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1);
    return { records: parseLines(whole.toString('utf8')), end: start + whole.length };
  }

  /** All files, in no order. */
  async stamps(): Promise<FileStamp[]> {
    const names = await undefinedIfMissing(readdir(this.folder));
    const ids = (names ?? [])
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length));
    const stamps = await Promise.all(ids.map((id) => this.stamp(id)));
    return stamps.filter((found) => found !== undefined);
  }

  async stamp(id: string): Promise<FileStamp | undefined> {
    const found = await undefinedIfMissing(stat(this.#path(id)));
    return found && { id, bytes: found.size, writtenAt: Math.floor(found.mtimeMs) };
  }

  /** Takes a conversation out of the list. Its file is kept until {@link purge}. */
  async delete(id: string): Promise<void> {
    await this.#writing;
    await ensurePrivateFolder(join(this.folder, DELETED_FOLDER));
    await rename(this.#path(id), this.#deletedPath(id));
    await undefinedIfMissing(rename(this.imagesPath(id), join(this.folder, DELETED_FOLDER, imagesName(id))));
  }

  async restore(id: string): Promise<void> {
    await undefinedIfMissing(rename(join(this.folder, DELETED_FOLDER, imagesName(id)), this.imagesPath(id)));
    await rename(this.#deletedPath(id), this.#path(id));
  }

  /** The folder of a conversation's images, which is there once it has any. */
  imagesPath(id: string): string {
    return join(this.folder, imagesName(id));
  }

  /** Removes for good what was deleted: one conversation, or all whose deletion is older than so many milliseconds. */
  async purge(what: string | { readonly olderThanMs: number }): Promise<void> {
    if (typeof what === 'string') {
      await rm(this.#deletedPath(what), { force: true });
      return rm(join(this.folder, DELETED_FOLDER, imagesName(what)), { recursive: true, force: true });
    }
    const folder = join(this.folder, DELETED_FOLDER);
    for (const name of (await undefinedIfMissing(readdir(folder))) ?? []) {
      const path = join(folder, name);
      // The time of a file's last change of name is its ctime.
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

/** The conversation that a file of the folder belongs to, if any. */
export function conversationOfFile(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** Answers without an end whose last line is another window's. */
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
  // Ids are made by this extension, but they also come back from stored state: none may leave the folder.
  if (!/^[\w-]+$/.test(id)) throw new Error(`Not the id of a conversation: ${id}`);
  return id;
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

/** True also for an empty file, and for one that is not there. */
async function endsWithLine(path: string): Promise<boolean> {
  const found = await undefinedIfMissing(stat(path));
  if (found === undefined || found.size === 0) return true;
  return (await readEnd(path, found.size - 1))?.at(-1) === NEW_LINE;
}
