/** Schemas of the contents of messages and answers: content parts, reasoning, tool calls. */
import * as z from 'zod/mini';
import { jsonObject, openUnion } from '../check.ts';
import { logProbsSchema } from '../logProbs.ts';

/** The two forms of a cache hint: the messages format's, as some gateways pass it on, and this format's. */
export const cacheFields = {
  cache_control: z.nullish(z.looseObject({ ttl: z.nullish(z.string()) })),
  prompt_cache_breakpoint: z.nullish(z.looseObject({ ttl: z.nullish(z.string()) })),
};

const textPart = z.looseObject({ type: z.literal('text'), text: z.string(), ...cacheFields });

const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.looseObject({ url: z.string(), detail: z.nullish(z.string()) })]),
  ...cacheFields,
});

const filePart = z.looseObject({
  type: z.literal('file'),
  file: z
    .looseObject({
      file_data: z.nullish(z.string()),
      file_id: z.nullish(z.string()),
      filename: z.nullish(z.string()),
    })
    .check(z.refine((file) => (file.file_data ?? file.file_id) != null, 'A file needs file_data or file_id.')),
  ...cacheFields,
});

const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });

/** Some servers put reasoning into the content of an answer. */
const thinkingPart = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.union([z.string(), z.array(z.looseObject({ text: z.nullish(z.string()) }))]),
});

const contentPart = openUnion([textPart, imagePart, filePart, refusalPart, thinkingPart]);
export const isKnownPart = contentPart.isKnown;

export const content = z.nullish(z.union([z.string(), z.array(contentPart.schema)]));

/** A common extension: reasoning with data that must be returned to the service unchanged. */
const reasoningDetail = z.looseObject({
  type: z.string(),
  index: z.nullish(z.number()),
  id: z.nullish(z.string()),
  text: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  signature: z.nullish(z.string()),
  data: z.nullish(z.string()),
});

export const reasoningFields = {
  reasoning_content: z.nullish(z.string()),
  reasoning: z.nullish(z.string()),
  reasoning_details: z.nullish(z.array(reasoningDetail)),
};

/** JSON text; some servers send the object itself. */
export const callArguments = z.nullish(z.union([z.string(), jsonObject]));

/** Members of a service for a call, such as a signature, which it demands back. */
export const extraContent = z.catch(z.nullish(jsonObject), null);

export interface CallOfSomeType {
  readonly type?: string | null | undefined;
  readonly function?: unknown;
  readonly custom?: unknown;
}

const CALL_TYPES: ReadonlySet<string> = new Set(['function', 'custom']);

/** Whether it is a call of a type that this form of the format does not have yet. */
export function isOtherCall(call: CallOfSomeType): call is CallOfSomeType & { readonly type: string } {
  return Boolean(call.type) && !CALL_TYPES.has(call.type ?? '') && !call.function && !call.custom;
}

const toolCall = z
  .looseObject({
    id: z.nullish(z.string()),
    type: z.nullish(z.string()),
    extra_content: extraContent,
    function: z.nullish(z.looseObject({ name: z.string(), arguments: callArguments })),
    custom: z.nullish(z.looseObject({ name: z.string(), input: z.nullish(z.string()) })),
  })
  .check(
    z.refine((call) => (call.function ?? call.custom) != null || isOtherCall(call), {
      path: ['function'],
      error: 'A tool call needs function or custom.',
    }),
  );

/**
 * A source of an answer. Other kinds, such as files of the service, and invalid ones are accepted without being read.
 */
const annotation = z.looseObject({
  type: z.nullish(z.string()),
  url_citation: z.nullish(
    z.looseObject({
      url: z.nullish(z.string()),
      title: z.nullish(z.string()),
      content: z.nullish(z.string()),
      start_index: z.nullish(z.number()),
      end_index: z.nullish(z.number()),
    }),
  ),
});
export const annotations = z.nullish(z.array(z.catch(annotation, {})));

/** `content` has one entry per token of the text. */
export const logprobs = z.nullish(z.looseObject({ content: logProbsSchema, refusal: z.nullish(z.array(z.unknown())) }));

const functionCall = z.looseObject({ name: z.string(), arguments: callArguments });

export const assistantFields = {
  content,
  refusal: z.nullish(z.string()),
  annotations,
  ...reasoningFields,
  tool_calls: z.nullish(z.array(toolCall)),
  function_call: z.nullish(functionCall),
};

export type WireContent = z.infer<typeof content>;
export type WirePart = z.infer<typeof contentPart.schema>;
export type WireReasoning = { readonly [K in keyof typeof reasoningFields]?: z.infer<(typeof reasoningFields)[K]> };
/** Members shared by an assistant message in a request and the message of an answer. */
export type WireAnswer = { readonly [K in keyof typeof assistantFields]?: z.infer<(typeof assistantFields)[K]> };
export type WireReasoningDetail = z.infer<typeof reasoningDetail>;
export type ChatAnnotation = z.infer<typeof annotation>;
export type WireChoiceLogProbs = z.infer<typeof logprobs>;
export type WireToolCall = z.infer<typeof toolCall>;
