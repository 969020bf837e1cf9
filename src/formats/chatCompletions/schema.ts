/**
 * Schemas, as lenient as the clients and servers of this format: unknown fields are kept, unknown types of parts and
 * tools are accepted, `null` means absent, and only indispensable members are required.
 */
import * as z from 'zod/mini';
import { jsonObject, openUnion } from '../check.ts';
import { writtenFormat } from '../responseFormat.ts';
import {
  annotations,
  assistantFields,
  cacheFields,
  callArguments,
  content,
  extraContent,
  logprobs,
  reasoningFields,
} from './contentSchema.ts';

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content }),
  z.looseObject({ role: z.literal('developer'), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({ role: z.literal('assistant'), ...assistantFields }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
  z.looseObject({ role: z.literal('function'), name: z.string(), content }),
]);

const functionDefinition = z.looseObject({
  name: z.string(),
  description: z.nullish(z.string()),
  parameters: z.nullish(jsonObject),
  strict: z.nullish(z.boolean()),
});

const functionTool = z.looseObject({
  type: z.literal('function'),
  function: functionDefinition,
  cache_control: cacheFields.cache_control,
});

const customTool = z.looseObject({
  type: z.literal('custom'),
  custom: z.looseObject({
    name: z.string(),
    description: z.nullish(z.string()),
    format: z.nullish(z.looseObject({ type: z.string(), grammar: z.nullish(jsonObject) })),
  }),
  cache_control: cacheFields.cache_control,
});

const tool = openUnion([functionTool, customTool]);
export const isClientTool = tool.isKnown;

const named = z.looseObject({ name: z.string() });
const namedFunction = z.looseObject({ type: z.literal('function'), function: named });
const namedCustom = z.looseObject({ type: z.literal('custom'), custom: named });

const allowedTools = z.looseObject({
  type: z.literal('allowed_tools'),
  allowed_tools: z.looseObject({
    mode: z.enum(['auto', 'required']),
    tools: z.array(z.discriminatedUnion('type', [namedFunction, namedCustom])),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required', 'any']),
  z.discriminatedUnion('type', [namedFunction, namedCustom, allowedTools]),
]);

/** Not part of the format, but used by clients of multi-model services. */
export const reasoningOptions = z.looseObject({
  effort: z.nullish(z.string()),
  max_tokens: z.nullish(z.number()),
  enabled: z.nullish(z.boolean()),
  summary: z.nullish(z.string()),
});

export const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  max_tokens: z.nullish(z.number()),
  max_completion_tokens: z.nullish(z.number()),
  prompt_cache_key: z.nullish(z.string()),
  temperature: z.nullish(z.number()),
  top_p: z.nullish(z.number()),
  top_k: z.nullish(z.number()),
  frequency_penalty: z.nullish(z.number()),
  presence_penalty: z.nullish(z.number()),
  seed: z.nullish(z.number()),
  stop: z.nullish(z.union([z.string(), z.array(z.string())])),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.looseObject({ include_usage: z.nullish(z.boolean()) })),
  tools: z.nullish(z.array(tool.schema)),
  /** Clients also send the forms of other formats. */
  tool_choice: z.nullish(z.union([toolChoice, z.string(), z.looseObject({})])),
  parallel_tool_calls: z.nullish(z.boolean()),
  functions: z.nullish(z.array(functionDefinition)),
  function_call: z.nullish(z.union([z.enum(['none', 'auto']), named])),
  web_search_options: z.nullish(jsonObject),
  response_format: z.nullish(writtenFormat),
  reasoning_effort: z.nullish(z.string()),
  reasoning: z.nullish(reasoningOptions),
  verbosity: z.nullish(z.string()),
  service_tier: z.nullish(z.string()),
  user: z.nullish(z.string()),
  safety_identifier: z.nullish(z.string()),
  metadata: z.nullish(jsonObject),
  store: z.nullish(z.boolean()),
  /** The older completions API has a number here, which some clients still send. */
  logprobs: z.nullish(z.union([z.boolean(), z.number()])),
  top_logprobs: z.nullish(z.number()),
});

/** Answers and events are read tolerantly; see `checkAnswer`. */
const tokens = z.nullish(z.number());

/** Cache writes by how long they are kept, at the usage or in its details. */
const lifetimes = z.nullish(z.looseObject({ ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens }));
const cacheCreation = { cache_creation: lifetimes, cache_creation_token_details: lifetimes };

const usage = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: z.nullish(
    z.looseObject({
      cached_tokens: tokens,
      cache_write_tokens: tokens,
      cache_creation_tokens: tokens,
      cache_creation_input_tokens: tokens,
      ...cacheCreation,
      audio_tokens: tokens,
      image_tokens: tokens,
    }),
  ),
  completion_tokens_details: z.nullish(
    z.looseObject({ reasoning_tokens: tokens, audio_tokens: tokens, image_tokens: tokens }),
  ),
  /** Other vendors' names for cached tokens. */
  prompt_cache_hit_tokens: tokens,
  cached_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  ...cacheCreation,
  server_tool_use: z.nullish(z.looseObject({ web_search_requests: tokens })),
});

const answerFields = {
  id: z.nullish(z.string()),
  object: z.nullish(z.string()),
  created: z.nullish(z.number()),
  model: z.nullish(z.string()),
  usage: z.nullish(usage),
};

/** The pages that some services have searched, beside the answer. */
const sources = {
  citations: z.nullish(z.array(z.unknown())),
  search_results: z.nullish(z.array(z.unknown())),
};

const choice = z.looseObject({
  index: z.nullish(z.number()),
  message: z.looseObject({ role: z.nullish(z.string()), ...assistantFields }),
  logprobs,
  finish_reason: z.nullish(z.string()),
});

/** An answer has at least one choice. */
export const responseSchema = z.looseObject({ ...answerFields, ...sources, choices: z.tuple([choice], choice) });

/** A fragment of a tool call. The first has the ID and the name, later ones continue the arguments. */
const toolCallDelta = z.looseObject({
  index: z.nullish(z.number()),
  id: z.nullish(z.string()),
  type: z.nullish(z.string()),
  extra_content: extraContent,
  function: z.nullish(z.looseObject({ name: z.nullish(z.string()), arguments: callArguments })),
  custom: z.nullish(z.looseObject({ name: z.nullish(z.string()), input: z.nullish(z.string()) })),
});

const delta = z.looseObject({
  role: z.nullish(z.string()),
  content,
  refusal: z.nullish(z.string()),
  annotations,
  ...reasoningFields,
  tool_calls: z.nullish(z.array(toolCallDelta)),
  function_call: z.nullish(z.looseObject({ name: z.nullish(z.string()), arguments: callArguments })),
});

/** One chunk. No member is required, because servers send chunks of their own between those of the format. */
export const eventSchema = z.looseObject({
  ...answerFields,
  ...sources,
  choices: z.nullish(
    z.array(
      z.looseObject({
        index: z.nullish(z.number()),
        delta: z.nullish(delta),
        /** Some servers have the parts of a stream here. */
        message: z.nullish(delta),
        logprobs,
        finish_reason: z.nullish(z.string()),
        usage: z.nullish(usage),
      }),
    ),
  ),
  x_groq: z.nullish(z.looseObject({ usage: z.nullish(usage) })),
  error: z.optional(z.unknown()),
});

const errorMember = z.looseObject({
  message: z.string(),
  type: z.nullish(z.string()),
  code: z.nullish(z.union([z.string(), z.number()])),
  param: z.nullish(z.string()),
});

export const errorSchema = z.looseObject({ error: errorMember });

export type ChatCompletionsRequest = z.infer<typeof requestSchema>;
export type ChatCompletionsResponse = z.infer<typeof responseSchema>;
export type ChatCompletionsEvent = z.infer<typeof eventSchema>;
export type ChatCompletionsError = z.infer<typeof errorSchema>;

export type ChatWireMessage = ChatCompletionsRequest['messages'][number];
export type ChatWireTool = z.infer<typeof tool.schema>;
export type ChatToolChoice = z.infer<typeof toolChoice>;
export type WireToolCallDelta = z.infer<typeof toolCallDelta>;
export type WireDelta = z.infer<typeof delta>;
export type ChatUsage = z.infer<typeof usage>;
