/** Decodes and encodes tools, the tool choice, and tool calls. */
import { FormatError } from '../apiError.ts';
import type { HostedTool, Tool, ToolCallPart, ToolChoice } from '../conversation.ts';
import { defined, type JsonObject, parseJson } from '../json.ts';
import { asParameters, readToolChoice } from '../tools.ts';
import { decodeCacheHint } from './content.ts';
import type { WireAnswer, WireToolCall } from './contentSchema.ts';
import { type ChatCompletionsRequest, type ChatToolChoice, type ChatWireTool, isClientTool } from './schema.ts';

type WireFunction = NonNullable<ChatCompletionsRequest['functions']>[number];
type WireClientTool = Extract<ChatWireTool, { type: 'function' | 'custom' }>;

/** The hosted tool type for `web_search_options`, which is a separate member in this format. */
const WEB_SEARCH = 'web_search_options';

export function decodeTools({ tools, functions }: ChatCompletionsRequest): Tool[] {
  const clientTools = (tools ?? []).filter(isClientTool).map(decodeTool);
  return [...clientTools, ...(functions ?? []).map(decodeFunction)];
}

/** Whether the client's tools are in the older form, in which an answer has at most one call. */
export function hasOlderTools({ tools, functions }: ChatCompletionsRequest): boolean {
  return (tools ?? []).length === 0 && (functions ?? []).length > 0;
}

function decodeTool(tool: WireClientTool): Tool {
  if (tool.type === 'function') return { ...decodeFunction(tool.function), ...decodeCacheHint(tool) };
  const { name, description, format } = tool.custom;
  return {
    name,
    freeForm: true,
    ...defined({ description: description ?? undefined, grammar: format?.grammar ?? undefined }),
    ...decodeCacheHint(tool),
  };
}

function decodeFunction({ name, description, parameters, strict }: WireFunction): Tool {
  return {
    name,
    ...defined({
      description: description ?? undefined,
      parameters: parameters ?? undefined,
      strict: strict ?? undefined,
    }),
  };
}

export function encodeTool(tool: Tool): ChatWireTool {
  const { name, description, parameters, strict, freeForm, grammar } = tool;
  if (freeForm)
    return { type: 'custom', custom: defined({ name, description, format: grammar && { type: 'grammar', grammar } }) };
  return {
    type: 'function',
    function: defined({ name, description, parameters: asParameters(parameters), strict }),
  };
}

export function decodeHostedTools({ tools, web_search_options: webSearch }: ChatCompletionsRequest): HostedTool[] {
  const hosted = (tools ?? [])
    .filter((tool) => !isClientTool(tool))
    .map((tool) => hostedTool(tool.type, tool as JsonObject));
  return webSearch ? [...hosted, hostedTool(WEB_SEARCH, webSearch)] : hosted;
}

function hostedTool(type: string, definition: JsonObject): HostedTool {
  return { format: 'chat-completions', type, definition };
}

/** Encodes hosted tools of this format. Its servers do not support those of other formats. */
export function encodeHostedTools(hostedTools: readonly HostedTool[]): {
  tools: ChatWireTool[];
  webSearchOptions?: JsonObject;
} {
  const own = hostedTools.filter(({ format }) => format === 'chat-completions');
  const tools = own.filter(({ type }) => type !== WEB_SEARCH).map(({ type, definition }) => ({ type, ...definition }));
  return { tools, ...defined({ webSearchOptions: own.find(({ type }) => type === WEB_SEARCH)?.definition }) };
}

export function decodeToolChoice(request: ChatCompletionsRequest): ToolChoice | undefined {
  const { tool_choice: choice, function_call: legacy } = request;
  if (choice === undefined || choice === null) {
    if (legacy === undefined || legacy === null) return undefined;
    return typeof legacy === 'string' ? { type: legacy } : { type: 'tool', name: legacy.name };
  }
  return readToolChoice(choice);
}

type NamedTool = Extract<ChatToolChoice, { function: object } | { custom: object }>;

export function encodeToolChoice(choice: ToolChoice, tools: readonly Tool[] | undefined): ChatToolChoice {
  const freeForm = new Set(tools?.filter((tool) => tool.freeForm).map((tool) => tool.name));
  const encodeName = (name: string): NamedTool =>
    freeForm.has(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } };
  switch (choice.type) {
    case 'tool':
      return encodeName(choice.name);
    case 'allowed':
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: choice.names.map(encodeName) } };
    default:
      return choice.type;
  }
}

/**
 * @param fallbackId the ID for calls that the server sends without one.
 * @throws {FormatError} if neither `function` nor `custom` is present.
 */
export function decodeToolCall(call: WireToolCall, fallbackId: string): ToolCallPart {
  const id = call.id || fallbackId;
  if (call.custom) {
    const { name, input } = call.custom;
    return { type: 'toolCall', id, name, arguments: input ?? '', freeForm: true, ...extraOf(call) };
  }
  if (!call.function) throw new FormatError('A tool call must contain function or custom.', 'tool_calls');
  const { name, arguments: written } = call.function;
  return { type: 'toolCall', id, name, arguments: argumentsText(written), ...extraOf(call) };
}

export function extraOf({ extra_content }: Pick<WireToolCall, 'extra_content'>): Pick<ToolCallPart, 'extra'> {
  return extra_content ? { extra: { extra_content } } : {};
}

/** Returns the JSON text as the model wrote it, or the JSON of the object that some servers send instead. */
export function argumentsText(value: string | JsonObject | null | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Writes a call without arguments as `{}`, because clients and servers of this format parse the text. */
export function encodeToolCall({ id, name, arguments: text, freeForm, extra }: ToolCallPart): WireToolCall {
  return freeForm
    ? { id, type: 'custom', custom: { name, input: text }, ...extra }
    : { id, type: 'function', function: { name, arguments: text || NO_ARGUMENTS }, ...extra };
}

/**
 * Encodes an earlier call, whose arguments may have been cut off. Many servers refuse the whole conversation then, so
 * that arguments that are not JSON become the single string `input`.
 */
export function withParsableArguments(call: ToolCallPart): ToolCallPart {
  const { arguments: text, freeForm } = call;
  const parsable = freeForm || text === '' || parseJson(text) !== undefined;
  return parsable ? call : { ...call, arguments: JSON.stringify({ input: text }) };
}

/** Encodes a call for clients with older tools, which support at most one. */
export function encodeOlderCall({ name, arguments: text }: ToolCallPart): NonNullable<WireAnswer['function_call']> {
  return { name, arguments: text || NO_ARGUMENTS };
}

export const NO_ARGUMENTS = '{}';
