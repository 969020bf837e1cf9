/** A conversation as a JSON file with all its branches. */
import * as z from 'zod/mini';
import { defined } from '../../formats/json.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { imagesOf as storedImagesOf } from '../conversation/entry.ts';
import { asCopies, recordsOf } from '../conversation/fork.ts';
import type { ConversationRecord } from '../conversation/record.ts';
import { titleOf } from '../conversation/title.ts';
import type { ImageLookup } from '../request.ts';
import { importedRecordSchema } from './importedRecord.ts';

const KIND = 'model-access-conversation';

const fileSchema = z.object({
  kind: z.literal(KIND),
  version: z.literal(1),
  title: z.string(),
  records: z.array(importedRecordSchema),
  /** Base64 by file name. */
  images: z.optional(z.record(z.string(), z.string())),
});

export function toJson(conversation: Conversation, images: ImageLookup): string {
  const { parameters, all, entries, visibleParents } = conversation;
  const title = titleOf(conversation);
  const last = entries.at(-1)?.id;
  const records: ConversationRecord[] = [
    { type: 'parameters', parameters },
    ...all.flatMap((entry) => recordsOf(entry, visibleParents.get(entry.id) ?? null, conversation.timeOf(entry.id))),
    ...(last === undefined ? [] : [{ type: 'chosen', id: last } as const]),
  ];
  return `${JSON.stringify({ kind: KIND, version: 1, title, records, images: imagesOf(conversation, images) }, undefined, 2)}\n`;
}

function imagesOf({ all }: Conversation, images: ImageLookup): Record<string, string> {
  const files = storedImagesOf(all).map(({ file }) => file);
  return Object.fromEntries(files.flatMap((file) => [[file, images(file)]].filter(([, data]) => data !== undefined)));
}

/** The images of an exported file as base64, by file name. */
export function imagesIn(source: string): Readonly<Record<string, string>> {
  return fileSchema.safeParse(parsed(source)).data?.images ?? {};
}

/** Returns undefined for a file that was not exported by this extension. `at` is in milliseconds since the epoch. */
export function fromJson(source: string, id: string, at: number): ConversationRecord[] | undefined {
  const file = fileSchema.safeParse(parsed(source)).data;
  if (file === undefined) return undefined;
  return [
    { type: 'conversation', version: 1, id, at, title: file.title },
    ...asCopies(withKnownParents(file.records.map((record) => defined(record) as ConversationRecord))),
  ];
}

/**
 * An entry whose parent is not in the file follows the one before it. The conversation would search the end of all
 * entries for each.
 */
function withKnownParents(records: readonly ConversationRecord[]): ConversationRecord[] {
  const known = new Set<string>();
  let last: string | null = null;
  return records.map((record) => {
    if (record.type !== 'question' && record.type !== 'answer') return record;
    const { id, parent = null } = record;
    const following: string | null = parent === null || known.has(parent) ? parent : last;
    known.add(id);
    last = id;
    return { ...record, parent: following };
  });
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // Not JSON, so not an exported file. The caller reports it.
    return undefined;
  }
}
