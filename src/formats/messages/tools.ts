/** Converts tools, the tool choice, and the arguments of calls. */
import type {
  ChatRequest,
  HostedTool,
  JsonObject,
  JsonValue,
  Tool,
  ToolCallPart,
  ToolChoice,
} from '../conversation.ts';
import { defined } from '../defined.ts';
import { isRecord } from '../json.ts';
import { decodeCacheHint, encodeCacheHint } from './content.ts';
import type { ClientTool, CountTokensRequest, ServedTool } from './schema.ts';
import { isClientTool, isKnownToolChoice, isServedTool } from './schema.ts';

type Tooling = Pick<ChatRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls'>;
type WireToolChoice = NonNullable<CountTokensRequest['tool_choice']>;

/** Schema of the object that this format requires for the arguments of a free-form tool. */
const FREE_FORM_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

export function decodeTooling({ tools, tool_choice }: Pick<CountTokensRequest, 'tools' | 'tool_choice'>): Tooling {
  const all = tools ?? [];
  const own = all.filter(isClientTool).map(decodeTool);
  const hosted = all.filter(isServedTool).map(decodeServedTool);
  return defined({
    tools: own.length > 0 ? own : undefined,
    hostedTools: hosted.length > 0 ? hosted : undefined,
    ...(tool_choice && decodeToolChoice(tool_choice)),
  });
}

function decodeTool(tool: ClientTool): Tool {
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

function decodeToolChoice(wire: WireToolChoice): Pick<Tooling, 'toolChoice' | 'parallelToolCalls'> {
  const choice = ownForm(wire);
  if (!isKnownToolChoice(choice)) return {};
  if (choice.type === 'none') return { toolChoice: { type: 'none' } };
  const disabled = choice.disable_parallel_tool_use ?? undefined;
  return defined({
    toolChoice: neutralChoice(choice),
    parallelToolCalls: disabled === undefined ? undefined : !disabled,
  });
}

/** Converts the forms of the other two formats: a word, `required`, and a function. */
export function ownForm(choice: WireToolChoice): Exclude<WireToolChoice, string> {
  if (typeof choice === 'string') return { type: choice === 'required' ? 'any' : choice };
  const { type, function: inner, name } = choice as JsonObject;
  if (type === 'required') return { ...choice, type: 'any' };
  const named = isRecord(inner) ? inner.name : name;
  return (type === 'function' || type === 'custom') && typeof named === 'string'
    ? { type: 'tool', name: named }
    : choice;
}

function neutralChoice(choice: { type: 'auto' | 'any' } | { type: 'tool'; name: string }): ToolChoice {
  if (choice.type === 'tool') return { type: 'tool', name: choice.name };
  return { type: choice.type === 'any' ? 'required' : 'auto' };
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

function encodeTool(tool: Tool): ClientTool {
  return defined({
    name: tool.name,
    description: tool.description,
    input_schema: tool.freeForm ? FREE_FORM_SCHEMA : { type: 'object', ...tool.parameters },
    strict: tool.strict,
    cache_control: encodeCacheHint(tool.cacheHint),
  });
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
  return parseObject(call.arguments) ?? { input: call.arguments };
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
