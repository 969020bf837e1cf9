import { appendFile, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyRecord,
  type Conversation,
  type ConversationRecord,
  emptyConversation,
  settleUnfinished,
} from './conversation.ts';

const EXTENSION = '.jsonl';

/** How much of a file is read to find its title, in bytes. */
const HEAD_BYTES = 16 * 1024;

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/**
 * Conversations as append-only files, one JSON record a line. Nothing is ever rewritten, so a crash loses at most the
 * record that was being written; a torn or unknown line is passed over when the file is read.
 */
export class ConversationStore {
  readonly #folder: string;
  /** Appends to a file run one after the other. */
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves once the records are in the file. Records are written in the order of the calls. */
  append(conversationId: string, records: readonly ConversationRecord[]): Promise<void> {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const written = this.#writing.then(async () => {
      await mkdir(this.#folder, { recursive: true });
      await appendFile(this.#path(conversationId), lines, 'utf8');
    });
    // A failed write is the caller's to report; the next one must not fail because of it.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** @returns `undefined` when there is no such conversation. */
  async read(conversationId: string): Promise<Conversation | undefined> {
    const text = await readIfThere(this.#path(conversationId));
    if (text === undefined) return undefined;
    return settleUnfinished(fold(conversationId, text));
  }

  /** The latest first. */
  async list(): Promise<ConversationSummary[]> {
    const names = await namesIn(this.#folder);
    const ids = names.filter((name) => name.endsWith(EXTENSION)).map((name) => name.slice(0, -EXTENSION.length));
    const summaries = await Promise.all(ids.map((id) => this.#summary(id)));
    return summaries.filter((summary) => summary !== undefined).sort((a, b) => b.changedAt - a.changedAt);
  }

  async #summary(id: string): Promise<ConversationSummary | undefined> {
    const head = fold(id, await readHead(this.#path(id)));
    if (head.title === undefined) return undefined;
    const { mtimeMs } = await stat(this.#path(id));
    return { id, title: head.title, changedAt: mtimeMs };
  }

  #path(id: string): string {
    // Ids are made by this extension, but they also come back from stored state: none may leave the folder.
    if (!/^[\w-]+$/.test(id)) throw new Error(`Not the id of a conversation: ${id}`);
    return join(this.#folder, `${id}${EXTENSION}`);
  }
}

function fold(id: string, text: string): Conversation {
  return text.split('\n').flatMap(parseLine).reduce(applyRecord, emptyConversation(id));
}

function parseLine(line: string): ConversationRecord[] {
  if (line === '') return [];
  try {
    const record: ConversationRecord = JSON.parse(line);
    return KNOWN_TYPES.has(record?.type) ? [record] : [];
  } catch {
    // The last line of a file whose writer was killed.
    return [];
  }
}

const KNOWN_TYPES: ReadonlySet<string> = new Set<ConversationRecord['type']>([
  'conversation',
  'question',
  'answer',
  'delta',
  'answerEnd',
  'removed',
]);

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
