/**
 * Members that the Open Responses specification (openresponses.org, version of 2026-04-24) requires in responses and
 * stream events, with their types. Other members, and other types of items, tools, and events are allowed.
 */
import * as z from 'zod/mini';

const integer = z.int();
const nullable = z.nullable;

const logProbFields = { token: z.string(), logprob: z.number(), bytes: z.array(integer) };
const logProbs = z.array(z.looseObject({ ...logProbFields, top_logprobs: z.array(z.looseObject(logProbFields)) }));
const annotation = z.looseObject({
  type: z.literal('url_citation'),
  url: z.string(),
  title: z.string(),
  start_index: integer,
  end_index: integer,
});
const textOf = (type: string) => z.looseObject({ type: z.literal(type), text: z.string() });
const part = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(annotation),
    logprobs: z.optional(logProbs),
  }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  textOf('summary_text'),
  textOf('reasoning_text'),
]);

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const ITEMS = {
  message: z.looseObject({
    id: z.string(),
    status,
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.array(part),
  }),
  function_call: z.looseObject({
    id: z.string(),
    status,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  reasoning: z.looseObject({
    id: z.string(),
    summary: z.array(part),
    content: z.optional(z.array(part)),
    encrypted_content: z.optional(z.string()),
  }),
  compaction: z.looseObject({ id: z.string(), encrypted_content: z.string() }),
};
const item = byType(ITEMS);

const FUNCTION_TOOL = z.looseObject({
  name: z.string(),
  description: nullable(z.string()),
  parameters: nullable(z.record(z.string(), z.unknown())),
  strict: nullable(z.boolean()),
});
const choice = z.enum(['none', 'auto', 'required']);
const chosen = z.looseObject({ type: z.string() });
const toolChoice = z.union([
  choice,
  z.looseObject({ type: z.literal('allowed_tools'), tools: z.array(chosen), mode: choice }),
  chosen,
]);
const textFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string(),
    description: nullable(z.string()),
    strict: z.boolean(),
  }),
]);

const usage = z.looseObject({
  input_tokens: integer,
  output_tokens: integer,
  total_tokens: integer,
  input_tokens_details: z.looseObject({ cached_tokens: integer }),
  output_tokens_details: z.looseObject({ reasoning_tokens: integer }),
});

export const openResponse = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: integer,
  completed_at: nullable(integer),
  status: z.string(),
  incomplete_details: nullable(z.looseObject({ reason: z.string() })),
  model: z.string(),
  previous_response_id: nullable(z.string()),
  instructions: nullable(z.string()),
  output: z.array(item),
  error: nullable(z.looseObject({ code: z.string(), message: z.string() })),
  tools: z.array(byType({ function: FUNCTION_TOOL })),
  tool_choice: toolChoice,
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: textFormat }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: integer,
  temperature: z.number(),
  reasoning: nullable(z.looseObject({ effort: nullable(z.string()), summary: nullable(z.string()) })),
  user: nullable(z.string()),
  usage: nullable(usage),
  max_output_tokens: nullable(integer),
  max_tool_calls: nullable(integer),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  safety_identifier: nullable(z.string()),
  prompt_cache_key: nullable(z.string()),
});

const ofItem = { item_id: z.string(), output_index: integer };
const ofContent = { ...ofItem, content_index: integer };
const ofSummary = { ...ofItem, summary_index: integer };
const numbered = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.looseObject({ sequence_number: integer, ...shape });
const aboutAnswer = numbered({ response: openResponse });
const aboutItem = numbered({ output_index: integer, item });

const EVENTS: Readonly<Record<string, z.ZodMiniType>> = {
  'response.created': aboutAnswer,
  'response.in_progress': aboutAnswer,
  'response.completed': aboutAnswer,
  'response.incomplete': aboutAnswer,
  'response.failed': aboutAnswer,
  'response.output_item.added': aboutItem,
  'response.output_item.done': aboutItem,
  'response.content_part.added': numbered({ ...ofContent, part }),
  'response.content_part.done': numbered({ ...ofContent, part }),
  'response.output_text.delta': numbered({ ...ofContent, delta: z.string(), logprobs: z.optional(logProbs) }),
  'response.output_text.done': numbered({ ...ofContent, text: z.string(), logprobs: z.optional(logProbs) }),
  'response.output_text.annotation.added': numbered({ ...ofContent, annotation_index: integer, annotation }),
  'response.refusal.delta': numbered({ ...ofContent, delta: z.string() }),
  'response.refusal.done': numbered({ ...ofContent, refusal: z.string() }),
  'response.reasoning_summary_part.added': numbered({ ...ofSummary, part }),
  'response.reasoning_summary_part.done': numbered({ ...ofSummary, part }),
  'response.reasoning_summary_text.delta': numbered({ ...ofSummary, delta: z.string() }),
  'response.reasoning_summary_text.done': numbered({ ...ofSummary, text: z.string() }),
  'response.function_call_arguments.delta': numbered({ ...ofItem, delta: z.string() }),
  'response.function_call_arguments.done': numbered({ ...ofItem, arguments: z.string() }),
  error: numbered({
    error: z.looseObject({
      type: z.string(),
      code: nullable(z.string()),
      message: z.string(),
      param: nullable(z.string()),
    }),
  }),
};

/** Events of tools that are not in the specification: the calls of free-form tools. */
const BEYOND = ['response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done'];

export const openResponsesEvent = byType(EVENTS, (type) => BEYOND.includes(type) || !/^(response\.|error$)/.test(type));

/**
 * Schema of an object whose type determines its members.
 * @param isAllowed whether a type may be unknown; by default, any may.
 */
function byType(schemas: Readonly<Record<string, z.ZodMiniType>>, isAllowed: (type: string) => boolean = () => true) {
  return z.looseObject({ type: z.string() }).check((context) => {
    const { type } = context.value;
    const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    if (schema === undefined && !isAllowed(type)) {
      context.issues.push({ code: 'custom', message: `Unknown type ${type}`, input: type, path: ['type'] });
    }
    const issues = schema?.safeParse(context.value).error?.issues ?? [];
    for (const issue of issues) {
      context.issues.push({ code: 'custom', message: issue.message, input: undefined, path: [type, ...issue.path] });
    }
  });
}
