/** Saved conversations in memory, for tests in which windows read and write them in any order. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { conversationOf } from '../../src/chat/conversation/conversation.ts';
import type { ConversationStore } from '../../src/chat/conversation/conversationStore.ts';
import type { ConversationRecord, WrittenRecord } from '../../src/chat/conversation/record.ts';

/** Called for everything that takes time in a window. Resolves when it is done. */
export type Delay = (what: string) => Promise<void>;

/** The files that all windows share. */
export type Disk = Map<string, WrittenRecord[]>;

/**
 * The store of one window. Its offsets count records instead of bytes.
 * @param checkpoints the folder of checkpoints.
 */
export function memoryStore(
  disk: Disk,
  delay: Delay,
  {
    areOthersAlive = true,
    checkpoints = '/chats',
  }: { readonly areOthersAlive?: boolean; readonly checkpoints?: string } = {},
): ConversationStore {
  const writer = randomUUID();
  let writing: Promise<void> = Promise.resolve();
  const append = (id: string, records: readonly ConversationRecord[]): Promise<void> => {
    // As in a file: what is changed later is not in it.
    const written = structuredClone(records).map((record) => ({ record, by: writer }));
    writing = writing.then(async () => {
      await delay(`write ${id}`);
      disk.set(id, [...(disk.get(id) ?? []), ...written]);
    });
    return writing;
  };
  const readFrom = async (id: string, start: number) => {
    await delay(`read ${id}`);
    const records = disk.get(id);
    return records && { records: records.slice(start), end: records.length };
  };
  const readAndFollow = async (id: string) => {
    const tail = await readFrom(id, 0);
    if (tail === undefined) return undefined;
    const records = tail.records.map(({ record }) => record);
    const own = tail.records.flatMap(({ record, by }) =>
      record.type === 'answer' && by === writer ? [record.id] : [],
    );
    const open = new Set<string>();
    for (const { record, by } of tail.records) {
      if (record.type === 'answer' && by !== writer) open.add(record.id);
      if (record.type === 'answerEnd') open.delete(record.id);
    }
    const elsewhere = [...open];
    return { conversation: conversationOf(id, records, elsewhere), end: tail.end, elsewhere, own };
  };
  const store = {
    folder: '/chats',
    workspace: undefined,
    writer,
    append,
    whenWritten: () => writing,
    readFrom,
    readAndFollow,
    read: readAndFollow,
    isAlive: async () => areOthersAlive,
    touch: async () => undefined,
    imagesPath: (id: string) => `/chats/${id}.images`,
    checkpointPath: (id: string, run: string) => join(checkpoints, `${id}.checkpoints`, run),
  };
  return store as unknown as ConversationStore;
}
