/** A conversation as a JSON file with all its branches. */
import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { IMAGE_FILE } from '../conversation/conversationImages.ts';
import { imagesOf as storedImagesOf } from '../conversation/entry.ts';
import { asCopies, recordsOf } from '../conversation/fork.ts';
import { parametersSchema } from '../conversation/parameters.ts';
import type { ConversationRecord } from '../conversation/record.ts';
import { titleOf } from '../conversation/title.ts';
import type { ImageLookup } from '../request.ts';

const id = z.string().check(z.minLength(1));
const place = { id, at: z.number(), parent: z.nullable(id) };

const image = z.object({ file: z.string().check(z.regex(IMAGE_FILE)), mediaType: z.string() });

const attachment = z.object({
  id,
  kind: z.enum([
    'selection',
    'file',
    'folder',
    'problems',
    'diff',
    'terminal',
    'image',
    'address',
    'instructions',
    'skill',
    'tools',
  ]),
  label: z.string(),
  path: z.string(),
  languageId: z.string(),
  text: z.string(),
  tokens: z.optional(z.number()),
  note: z.optional(z.string()),
  image: z.optional(image),
});

const figures = z.object({
  inputTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  outputTokens: z.number(),
  reasoningTokens: z.optional(z.number()),
  answeredBy: z.optional(z.string()),
  cost: z.optional(z.number()),
  sealedSecrets: z.optional(z.number()),
  firstTokenMs: z.optional(z.number()),
  tokensPerSecond: z.optional(z.number()),
  estimated: z.boolean(),
  forecast: z.optional(z.object({ inputTokens: z.number(), cost: z.optional(z.number()) })),
});

const toolCall = z.object({
  id,
  name: z.string(),
  arguments: z.string(),
  result: z.optional(z.string()),
  images: z.optional(z.array(image)),
});

const citation = z.object({
  url: z.optional(z.string()),
  title: z.optional(z.string()),
  quote: z.optional(z.string()),
  span: z.optional(z.object({ start: z.number(), end: z.number() })),
  proof: z.optional(z.string()),
});

/** The records of a file that anyone may have written or changed. */
const importedRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('question'),
    ...place,
    text: z.string(),
    shown: z.optional(z.string()),
    attachments: z.array(attachment),
  }),
  z.object({
    type: z.literal('answer'),
    ...place,
    model: z.string(),
    format: z.enum(FORMAT_NAMES),
    sandbox: z.boolean(),
  }),
  z.object({
    type: z.literal('delta'),
    id,
    text: z.optional(z.string()),
    reasoning: z.optional(z.string()),
    refusal: z.optional(z.string()),
    toolCall: z.optional(toolCall),
    citation: z.optional(citation),
  }),
  // Errors and their next steps are not imported, because they apply only to the time and the machine where they
  // occurred.
  z.object({
    type: z.literal('answerEnd'),
    id,
    status: z.enum(['complete', 'cut', 'stopped', 'failed']),
    figures: z.optional(figures),
    reasoningMs: z.optional(z.number()),
    refusedBy: z.optional(z.enum(['model', 'filter'])),
  }),
  z.object({ type: z.literal('chosen'), id }),
  // A file must not make a chat act.
  z.object({ type: z.literal('parameters'), parameters: z.omit(parametersSchema, { mode: true }) }),
]);

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
