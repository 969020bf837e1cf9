/** Schemas of the messages format. Unknown fields are kept, and unknown types of blocks and events are accepted. */
import * as z from 'zod/mini';
import { jsonObject, openUnion } from '../check.ts';
import { isRecord, type JsonObject } from '../json.ts';

const name = z.string().check(z.minLength(1));

const cacheControl = z.nullish(z.looseObject({ type: z.string(), ttl: z.nullish(z.string()) }));

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl });

const base64Source = z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() });
const urlSource = z.looseObject({ type: z.literal('url'), url: z.string() });
const fileSource = z.looseObject({ type: z.literal('file'), file_id: z.string() });
const textSource = z.looseObject({ type: z.literal('text'), data: z.string() });
const contentSource = z.looseObject({
  type: z.literal('content'),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) }))]),
});

const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [base64Source, urlSource, fileSource]),
  cache_control: cacheControl,
});

const documentBlock = z.looseObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [base64Source, urlSource, fileSource, textSource, contentSource]),
  title: z.nullish(z.string()),
  cache_control: cacheControl,
});

const searchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  title: z.string(),
  source: z.string(),
  content: z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
  cache_control: cacheControl,
});

const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: name,
  name,
  input: z.nullish(jsonObject),
  cache_control: cacheControl,
});

/** A tool found by a client-side search. The tool itself is in the request's tools. */
const toolReferenceBlock = z.looseObject({ type: z.literal('tool_reference'), tool_name: name });
const resultContent = openUnion([textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock]);
export const isKnownResultContent = resultContent.isKnown;

const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: name,
  content: z.nullish(z.union([z.string(), z.array(resultContent.schema)])),
  is_error: z.nullish(z.boolean()),
  cache_control: cacheControl,
});

const thinkingBlock = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.nullish(z.string()),
});
const redactedThinkingBlock = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() });

/** The service's summary of everything before it. Empty if it could not write one. */
const compactionBlock = z.looseObject({
  type: z.literal('compaction'),
  content: z.nullish(z.string()),
  cache_control: cacheControl,
});

const requestBlock = openUnion([
  textBlock,
  imageBlock,
  documentBlock,
  searchResultBlock,
  toolUseBlock,
  toolResultBlock,
  thinkingBlock,
  redactedThinkingBlock,
  compactionBlock,
]);
export const isKnownRequestBlock = requestBlock.isKnown;

const message = z.looseObject({
  role: z.literal(['user', 'assistant', 'system']),
  content: z.nullish(z.union([z.string(), z.array(requestBlock.schema)])),
});

/** Client tools have no type or the type `custom`; tools of other types are defined by the service. */
export const clientTool = z.looseObject({
  type: z.nullish(z.literal('custom')),
  name,
  description: z.nullish(z.string()),
  input_schema: z.nullish(jsonObject),
  strict: z.nullish(z.boolean()),
  /** Whether the model does not know the tool until it was searched for. */
  defer_loading: z.nullish(z.boolean()),
  cache_control: cacheControl,
});
const servedTool = z.custom<ServedTool>(
  (value) => isRecord(value) && typeof value.type === 'string' && value.type !== 'custom',
  'This must be a tool.',
);

export function isClientTool(tool: MessagesWireTool): tool is MessagesClientTool {
  return (tool.type ?? 'custom') === 'custom';
}

export function isServedTool(tool: MessagesWireTool): tool is ServedTool {
  return !isClientTool(tool);
}

const parallel = { disable_parallel_tool_use: z.nullish(z.boolean()) };
const toolChoice = openUnion([
  z.looseObject({ type: z.literal('auto'), ...parallel }),
  z.looseObject({ type: z.literal('any'), ...parallel }),
  z.looseObject({ type: z.literal('tool'), name, ...parallel }),
  z.looseObject({ type: z.literal('none') }),
]);
export const isKnownToolChoice = toolChoice.isKnown;

const thinking = openUnion([
  z.looseObject({ type: z.literal('enabled'), budget_tokens: z.number(), display: z.nullish(z.string()) }),
  z.looseObject({ type: z.literal('adaptive'), display: z.nullish(z.string()) }),
  z.looseObject({ type: z.literal('disabled') }),
]);
export const isKnownThinking = thinking.isKnown;

const outputFormat = openUnion([z.looseObject({ type: z.literal('json_schema'), schema: jsonObject })]);
export const isKnownOutputFormat = outputFormat.isKnown;

const prompt = {
  model: name,
  messages: z.array(message),
  system: z.nullish(z.union([z.string(), z.array(textBlock)])),
  tools: z.nullish(z.array(z.union([clientTool, servedTool]))),
  /** Words are the form of the other two formats. */
  tool_choice: z.nullish(z.union([toolChoice.schema, z.enum(['none', 'auto', 'required', 'any'])])),
  thinking: z.nullish(thinking.schema),
  output_config: z.nullish(z.looseObject({ effort: z.nullish(z.string()), format: z.nullish(outputFormat.schema) })),
  /** The name of an earlier version. */
  output_format: z.nullish(outputFormat.schema),
};

export const countTokensRequest = z.looseObject(prompt);

/** The service requires `max_tokens`. The gateway does not, so that the upstream decides if it is missing. */
export const messagesRequest = z.looseObject({
  ...prompt,
  max_tokens: z.nullish(z.int()),
  stream: z.nullish(z.boolean()),
  temperature: z.nullish(z.number()),
  top_p: z.nullish(z.number()),
  top_k: z.nullish(z.number()),
  stop_sequences: z.nullish(z.array(z.string())),
  service_tier: z.nullish(z.string()),
  metadata: z.nullish(z.looseObject({ user_id: z.nullish(z.string()) })),
  thread: z.nullish(z.looseObject({ type: z.string() })),
});

/** Answers and events are read tolerantly; see `checkAnswer`. */
const tokens = z.nullish(z.number());
const counted = {
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation: z.nullish(z.looseObject({ ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens })),
};
export const usage = z.looseObject({
  ...counted,
  output_tokens_details: z.nullish(z.looseObject({ thinking_tokens: tokens })),
  /**
   * One entry for each time the model was called, if it was called more than once, such as to summarize the
   * conversation.
   */
  iterations: z.nullish(z.array(z.looseObject(counted))),
  server_tool_use: z.nullish(z.looseObject({ web_search_requests: tokens })),
});

/** A citation of a web page, or of a passage in a document or search result. */
export const citation = z.looseObject({
  url: z.nullish(z.string()),
  /** The page of a search result in the request, if it has one. */
  source: z.nullish(z.string()),
  title: z.nullish(z.string()),
  document_title: z.nullish(z.string()),
  cited_text: z.nullish(z.string()),
  encrypted_index: z.nullish(z.string()),
});

/** Invalid citations are accepted, so that the text is not lost. */
const citations = z.nullish(z.array(z.catch(citation, {})));

export const answerText = z.nullish(z.string());

export const responseBlock = openUnion([
  z.looseObject({ type: z.literal('text'), text: answerText, citations }),
  z.looseObject({ type: z.literal('thinking'), thinking: answerText, signature: z.nullish(z.string()) }),
  redactedThinkingBlock,
  z.looseObject({ type: z.literal('tool_use'), id: z.nullish(z.string()), name, input: z.nullish(jsonObject) }),
]);
export const isKnownResponseBlock = responseBlock.isKnown;

/** Why the answer ended as it did. Only refusals have it. */
export const stopDetails = z.nullish(
  z.looseObject({ type: z.nullish(z.string()), category: z.nullish(z.string()), explanation: z.nullish(z.string()) }),
);

export const messagesResponse = z.looseObject({
  type: z.nullish(z.string()),
  id: z.nullish(z.string()),
  role: z.nullish(z.string()),
  model: z.nullish(z.string()),
  /** Some servers send the text alone. */
  content: z.union([z.string(), z.array(responseBlock.schema)]),
  stop_reason: z.nullish(z.string()),
  stop_sequence: z.nullish(z.string()),
  stop_details: stopDetails,
  usage: z.nullish(usage),
});

const errorDetail = z.looseObject({
  type: z.nullish(z.string()),
  message: z.nullish(z.string()),
  details: z.nullish(z.looseObject({ error_code: z.nullish(z.string()) })),
});
const errorShape = { error: errorDetail, request_id: z.nullish(z.string()) };

export const messagesError = z.looseObject({ type: z.literal('error'), ...errorShape });
/** In streams, some services omit the type. */
export const untypedError = z.looseObject(errorShape);

export type CountTokensRequest = z.infer<typeof countTokensRequest>;
export type MessagesRequest = z.infer<typeof messagesRequest>;
export type MessagesResponse = z.infer<typeof messagesResponse>;
export type MessagesError = z.infer<typeof messagesError>;
export type MessagesWireMessage = z.infer<typeof message>;
export type MessagesClientTool = z.infer<typeof clientTool>;
export type ServedTool = JsonObject & { readonly type: string };
export type MessagesWireTool = MessagesClientTool | ServedTool;
export type StopDetails = NonNullable<MessagesResponse['stop_details']>;
export type MessagesUsage = z.infer<typeof usage>;
export type CacheControl = z.infer<typeof cacheControl>;
export type TextBlock = z.infer<typeof textBlock>;
export type ImageBlock = z.infer<typeof imageBlock>;
export type DocumentBlock = z.infer<typeof documentBlock>;
export type SearchResultBlock = z.infer<typeof searchResultBlock>;
export type ToolReferenceBlock = z.infer<typeof toolReferenceBlock>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;
export type ResultContent = z.infer<typeof resultContent.schema>;
export type RequestBlock = z.infer<typeof requestBlock.schema>;
export type KnownRequestBlock = z.infer<typeof requestBlock.known>;
export type ResponseBlock = z.infer<typeof responseBlock.schema>;
export type KnownResponseBlock = z.infer<typeof responseBlock.known>;
export type WireCitation = z.infer<typeof citation>;
