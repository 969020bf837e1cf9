/** Converts tools, the tool choice, and the arguments of calls. */
import type { ChatRequest, HostedTool, Tool, ToolCallPart } from '../conversation.ts';
import { defined, isRecord, type JsonObject, type JsonValue, parseJson } from '../json.ts';
import { asParameters, readToolChoice } from '../tools.ts';
import { decodeCacheHint, encodeCacheHint } from './content.ts';
import { asStrictSchema } from './outputSchema.ts';
import {
  type CountTokensRequest,
  isClientTool,
  isKnownRequestBlock,
  isKnownResultContent,
  isKnownToolChoice,
  isServedTool,
  type MessagesClientTool,
  type MessagesWireTool,
  type RequestBlock,
  type ServedTool,
} from './schema.ts';

/** Searches that the service runs itself. */
const HOSTED_SEARCH = /^tool_search_tool/;

/** Servers of other formats accept no more tools. */
const MAX_TOOLS = 128;

type Tooling = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls'>;
type WireToolChoice = NonNullable<CountTokensRequest['tool_choice']>;

/** Schema of the object that this format requires for the arguments of a free-form tool. */
const FREE_FORM_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

export function decodeTooling(request: Pick<CountTokensRequest, 'tools' | 'tool_choice' | 'messages'>): Tooling {
  const { tool_choice } = request;
  const all = knownTools(request);
  const own = all.filter(isClientTool).map(decodeTool);
  const hosted = all.filter(isServedTool).map(decodeServedTool);
  return defined({
    tools: own.length > 0 ? own : undefined,
    hostedTools: hosted.length > 0 ? hosted : undefined,
    ...(tool_choice && decodeToolChoice(tool_choice)),
  });
}

function decodeTool(tool: MessagesClientTool): Tool {
  return defined({
    name: tool.name,
    description: tool.description ?? undefined,
    parameters: tool.input_schema ?? undefined,
    strict: tool.strict ?? undefined,
    cacheHint: decodeCacheHint(tool.cache_control),
  });
}

function decodeServedTool(definition: ServedTool): HostedTool {
  return { format: 'messages', type: definition.type, definition };
}

function decodeToolChoice(choice: WireToolChoice): Pick<Tooling, 'toolChoice' | 'parallelToolCalls'> {
  if (!isReadChoice(choice)) return {};
  const toolChoice = readToolChoice(choice);
  if (toolChoice.type === 'none' || typeof choice === 'string') return { toolChoice };
  const { disable_parallel_tool_use: disabled } = choice;
  return { toolChoice, ...(typeof disabled === 'boolean' && { parallelToolCalls: !disabled }) };
}

const OTHER_FORMS: ReadonlySet<unknown> = new Set(['function', 'custom', 'required', 'allowed_tools']);

/** Whether the choice is of this format, or in the form of another one. */
export function isReadChoice(choice: WireToolChoice): boolean {
  return typeof choice === 'string' || isKnownToolChoice(choice) || OTHER_FORMS.has(choice.type);
}

/** Encodes tools and the tool choice. The format has no list of allowed tools, so other tools are not offered. */
export function encodeTooling(request: Tooling): Pick<CountTokensRequest, 'tools' | 'tool_choice'> {
  const { tools = [], hostedTools = [], toolChoice } = request;
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined;
  const offered = allowed === undefined ? tools : tools.filter(({ name }) => allowed.has(name));
  const hosted = hostedTools
    .filter(({ format }) => format === 'messages')
    .map(({ definition, type }) => ({ ...definition, type }));
  const all = [...offered.map(encodeTool), ...hosted];
  if (all.length === 0) return {};
  return defined({ tools: all, tool_choice: encodeToolChoice(request) });
}

function encodeTool(tool: Tool): MessagesClientTool {
  return defined({
    name: tool.name,
    description: tool.description,
    input_schema: tool.freeForm ? FREE_FORM_SCHEMA : encodeSchema(tool),
    strict: tool.strict,
    cache_control: encodeCacheHint(tool.cacheHint),
  });
}

function encodeSchema({ parameters, strict }: Tool): JsonObject {
  const schema = asParameters(parameters);
  return strict === true ? asStrictSchema(schema) : schema;
}

/** Encodes the tool choice. Parallel calls are the default, so allowing them needs no choice. */
function encodeToolChoice({ toolChoice, parallelToolCalls }: Tooling): WireToolChoice | undefined {
  if (toolChoice?.type === 'none') return { type: 'none' };
  const disable = parallelToolCalls === undefined ? {} : { disable_parallel_tool_use: !parallelToolCalls };
  if (toolChoice === undefined) return parallelToolCalls === false ? { type: 'auto', ...disable } : undefined;
  if (toolChoice.type === 'tool') return { type: 'tool', name: toolChoice.name, ...disable };
  const mode = toolChoice.type === 'allowed' ? toolChoice.mode : toolChoice.type;
  return { type: mode === 'required' ? 'any' : 'auto', ...disable };
}

export function decodeInput(input: JsonObject | null | undefined): string {
  return JSON.stringify(input ?? {});
}

/**
 * Encodes arguments as the object that the format requires. Other arguments (free-form or invalid) become its single
 * string `input`.
 */
export function encodeInput(call: Pick<ToolCallPart, 'arguments' | 'freeForm'>): JsonObject {
  if (call.freeForm) return { input: call.arguments };
  if (call.arguments.trim() === '') return {};
  const parsed = parseJson(call.arguments) as JsonValue | undefined;
  return isRecord(parsed) ? parsed : { input: call.arguments };
}

/**
 * Returns all tools, or if they are too many, those that the model knows already: those that are not deferred, that a
 * search has found, that were called, or that must be called. All tools if only the service could search for them.
 */
function knownTools(
  request: Pick<CountTokensRequest, 'tools' | 'tool_choice' | 'messages'>,
): readonly MessagesWireTool[] {
  const tools = request.tools ?? [];
  if (tools.length <= MAX_TOOLS) return tools;
  const isSearchedElsewhere = tools.some((tool) => HOSTED_SEARCH.test(tool.type ?? ''));
  if (isSearchedElsewhere || !tools.some(isDeferred)) return tools;
  const found = namesIn(request.messages);
  const { tool_choice: choice } = request;
  if (typeof choice === 'object' && choice !== null && 'name' in choice) found.add(String(choice.name));
  const known = tools.filter((tool) => !isDeferred(tool) || found.has(tool.name));
  return known.some(isClientTool) ? known : tools;
}

function isDeferred(tool: MessagesWireTool): tool is MessagesClientTool {
  return isClientTool(tool) && tool.defer_loading === true;
}

function namesIn(messages: CountTokensRequest['messages']): Set<string> {
  const names = new Set<string>();
  for (const { content } of messages) {
    if (typeof content !== 'object' || content === null) continue;
    for (const block of content) for (const name of namesInBlock(block)) names.add(name);
  }
  return names;
}

function namesInBlock(block: RequestBlock): readonly string[] {
  if (!isKnownRequestBlock(block)) return [];
  if (block.type === 'tool_use') return [block.name];
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return [];
  return block.content.flatMap((each) =>
    isKnownResultContent(each) && each.type === 'tool_reference' ? [each.tool_name] : [],
  );
}
