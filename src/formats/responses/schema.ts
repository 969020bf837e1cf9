/**
 * Schemas of requests and answers in the responses format. Unknown fields are kept, and parts, items, and tools of
 * unknown types are accepted, because clients and services add new ones all the time.
 */
import * as z from 'zod/mini';
import { jsonObject, openUnion } from '../check.ts';
import { writtenFormat } from '../responseFormat.ts';
import { content, contentPart } from './contentSchema.ts';

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.nullish(z.string()),
  parameters: z.nullish(jsonObject),
  strict: z.nullish(z.boolean()),
});
const customTool = z.looseObject({
  type: z.literal('custom'),
  name: z.string(),
  description: z.nullish(z.string()),
  format: z.nullish(jsonObject),
});
/**
 * Searches for tools that are not offered to the model at first. `execution` states whether the client or the service
 * searches.
 */
const toolSearch = z.looseObject({
  type: z.literal('tool_search'),
  execution: z.nullish(z.string()),
  description: z.nullish(z.string()),
  parameters: z.nullish(jsonObject),
});
const clientTool = openUnion([functionTool, customTool, toolSearch]);
export const isClientTool = clientTool.isKnown;
const namespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name: z.string(),
  description: z.nullish(z.string()),
  tools: z.array(clientTool.schema),
});
/** All other tools are run by the service or exist only in this format. */
const tool = openUnion([functionTool, customTool, toolSearch, namespaceTool]);
export const isKnownTool = tool.isKnown;

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({
    type: z.string(),
    name: z.nullish(z.string()),
    namespace: z.nullish(z.string()),
    mode: z.nullish(z.string()),
    tools: z.nullish(z.array(z.looseObject({ type: z.string(), name: z.nullish(z.string()) }))),
    server_label: z.nullish(z.string()),
  }),
]);

const itemFields = { id: z.nullish(z.string()), status: z.nullish(z.string()) };

/** Includes the short form, which omits `type`. */
const message = z.looseObject({
  type: z.optional(z.literal('message')),
  ...itemFields,
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
});
const reasoning = z.looseObject({
  type: z.literal('reasoning'),
  ...itemFields,
  summary: z.nullish(z.array(z.looseObject({ text: z.string() }))),
  content: z.nullish(z.array(z.looseObject({ text: z.nullish(z.string()) }))),
  encrypted_content: z.nullish(z.string()),
});
const callFields = { ...itemFields, call_id: z.string(), name: z.string(), namespace: z.nullish(z.string()) };
const functionCall = z.looseObject({ type: z.literal('function_call'), ...callFields, arguments: z.string() });
const customToolCall = z.looseObject({ type: z.literal('custom_tool_call'), ...callFields, input: z.string() });
const outputFields = { ...itemFields, call_id: z.string(), output: content };
const functionCallOutput = z.looseObject({ type: z.literal('function_call_output'), ...outputFields });
const customToolCallOutput = z.looseObject({ type: z.literal('custom_tool_call_output'), ...outputFields });
/** There is no call ID if the service ran the search. */
const searchFields = { ...itemFields, call_id: z.nullish(z.string()), execution: z.nullish(z.string()) };
const toolSearchCall = z.looseObject({
  type: z.literal('tool_search_call'),
  ...searchFields,
  arguments: z.unknown(),
});
const toolSearchOutput = z.looseObject({
  type: z.literal('tool_search_output'),
  ...searchFields,
  tools: z.array(tool.schema),
});
const additionalTools = z.looseObject({
  type: z.literal('additional_tools'),
  ...itemFields,
  tools: z.array(tool.schema),
});

const inputItem = openUnion([
  message,
  functionCall,
  functionCallOutput,
  customToolCall,
  customToolCallOutput,
  toolSearchCall,
  toolSearchOutput,
  reasoning,
  additionalTools,
]);
export const isKnownInputItem = inputItem.isKnown;

const answerCallFields = { ...callFields, call_id: z.nullish(z.string()) };

/** Answers and events are read tolerantly; see `checkAnswer`. */
const answerMessage = z
  .looseObject({
    type: z.optional(z.literal('message')),
    ...itemFields,
    role: z.nullish(z.string()),
    content: z.nullish(z.union([z.string(), z.array(contentPart.schema)])),
  })
  .check(z.refine(({ type, content: parts }) => (type ?? parts) !== undefined, 'This needs a type.'));

/** An item of an answer or of a stream event, complete or just started. */
const outputItem = openUnion([
  answerMessage,
  reasoning,
  z.looseObject({ type: z.literal('function_call'), ...answerCallFields, arguments: z.nullish(z.string()) }),
  z.looseObject({ type: z.literal('custom_tool_call'), ...answerCallFields, input: z.nullish(z.string()) }),
  /** `result` is the image in base64. */
  z.looseObject({
    type: z.literal('image_generation_call'),
    ...itemFields,
    result: z.nullish(z.string()),
    output_format: z.nullish(z.string()),
  }),
]);
export const outputItemSchema = outputItem.schema;
export const isKnownOutputItem = outputItem.isKnown;

const textOptions = z.looseObject({ format: z.nullish(writtenFormat), verbosity: z.nullish(z.string()) });
const reasoningOptions = z.looseObject({
  effort: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  /** The older name. */
  generate_summary: z.nullish(z.string()),
});

export const requestSchema = z.looseObject({
  model: z.string(),
  /** Undefined if a stored prompt or an earlier answer is sufficient. */
  input: z.nullish(z.union([z.string(), z.array(inputItem.schema)])),
  instructions: z.nullish(z.string()),
  tools: z.nullish(z.array(tool.schema)),
  tool_choice: z.nullish(toolChoice),
  parallel_tool_calls: z.nullish(z.boolean()),
  max_output_tokens: z.nullish(z.number()),
  temperature: z.nullish(z.number()),
  top_p: z.nullish(z.number()),
  text: z.nullish(textOptions),
  reasoning: z.nullish(reasoningOptions),
  include: z.nullish(z.array(z.string())),
  store: z.nullish(z.boolean()),
  previous_response_id: z.nullish(z.string()),
  prompt_cache_key: z.nullish(z.string()),
  service_tier: z.nullish(z.string()),
  metadata: z.nullish(jsonObject),
  user: z.nullish(z.string()),
  safety_identifier: z.nullish(z.string()),
  truncation: z.nullish(z.string()),
  top_logprobs: z.nullish(z.number()),
  stream: z.nullish(z.boolean()),
});

const tokens = z.nullish(z.number());

const usageSchema = z.looseObject({
  input_tokens: tokens,
  input_tokens_details: z.nullish(z.looseObject({ cached_tokens: tokens, cache_write_tokens: tokens })),
  output_tokens: tokens,
  output_tokens_details: z.nullish(z.looseObject({ reasoning_tokens: tokens })),
  total_tokens: tokens,
  /** Not part of the format, but of some services. */
  server_tool_use: z.nullish(z.looseObject({ web_search_requests: tokens })),
});

export const responseErrorSchema = z.looseObject({
  message: z.nullish(z.string()),
  code: z.nullish(z.string()),
  type: z.nullish(z.string()),
  param: z.nullish(z.string()),
});

const answerFields = {
  created_at: z.nullish(z.number()),
  status: z.nullish(z.string()),
  error: z.nullish(responseErrorSchema),
  incomplete_details: z.nullish(z.looseObject({ reason: z.nullish(z.string()) })),
  usage: z.nullish(usageSchema),
};

export const responseSchema = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  output: z.array(outputItem.schema),
  ...answerFields,
});

/** The answer in stream events: nearly empty at first, and not filled by every service at the end. */
export const streamedResponseSchema = z.looseObject({
  id: z.nullish(z.string()),
  model: z.nullish(z.string()),
  output: z.nullish(z.array(outputItem.schema)),
  ...answerFields,
});

export type ResponsesRequest = z.infer<typeof requestSchema>;
export type ResponsesResponse = z.infer<typeof responseSchema>;
export type StreamedResponse = z.infer<typeof streamedResponseSchema>;
export type InputItem = z.infer<typeof inputItem.schema>;
export type KnownInputItem = z.infer<typeof inputItem.known>;
export type OutputItem = z.infer<typeof outputItem.schema>;
export type KnownOutputItem = z.infer<typeof outputItem.known>;
export type MessageItem = z.infer<typeof message>;
export type OutputMessageItem = z.infer<typeof answerMessage>;
export type ReasoningItem = z.infer<typeof reasoning>;
export type ResponsesWireTool = z.infer<typeof tool.schema>;
export type ResponsesClientTool = z.infer<typeof clientTool.known>;
export type ResponsesToolChoice = z.infer<typeof toolChoice>;
export type ResponsesUsage = z.infer<typeof usageSchema>;
export type WireError = z.infer<typeof responseErrorSchema>;
