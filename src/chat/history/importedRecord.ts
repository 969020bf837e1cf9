/** Validates the records of a file that anyone may have written or changed. */
import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { IMAGE_FILE } from '../conversation/conversationImages.ts';
import { parametersSchema } from '../conversation/parameters.ts';

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

export const importedRecordSchema = z.discriminatedUnion('type', [
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
