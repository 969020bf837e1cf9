/** Client-side tool search: the model searches, and the client answers with tools, which it offers from then on. */
import type { Message, ToolCallPart } from '../conversation.ts';
import { defined, parseJson } from '../json.ts';
import type { InputItem, KnownInputItem, ResponsesWireTool } from './schema.ts';
import { TOOL_SEARCH } from './tools.ts';

type SearchType = 'tool_search_call' | 'tool_search_output';
type SearchItem<Type> = Extract<KnownInputItem, { type: Type }>;

/** Whether the service ran the search itself. Such searches need no answer and are dropped. */
export function isHostedSearchItem(item: KnownInputItem): item is SearchItem<SearchType> {
  return (item.type === 'tool_search_call' || item.type === 'tool_search_output') && !item.call_id;
}

export function decodeSearchCall(item: SearchItem<'tool_search_call'>): Message[] {
  if (!item.call_id) return [];
  const written = JSON.stringify(item.arguments ?? {});
  const call = { id: item.call_id, name: TOOL_SEARCH, arguments: written, toolSearch: true as const };
  return [{ role: 'assistant', parts: [{ type: 'toolCall', ...call, ...defined({ itemId: item.id || undefined }) }] }];
}

/** Decodes the result of a search. The tools are offered with the others; see {@link foundTools}. */
export function decodeSearchOutput(item: SearchItem<'tool_search_output'>): Message[] {
  if (!item.call_id) return [];
  const result = { toolCallId: item.call_id, content: [{ type: 'text' as const, text: describe(item.tools) }] };
  const extra = { toolSearch: true as const, ...defined({ itemId: item.id || undefined }) };
  return [{ role: 'tool', parts: [{ type: 'toolResult', ...result, ...extra }] }];
}

export function foundTools(item: SearchItem<'tool_search_output'>): readonly ResponsesWireTool[] {
  return item.call_id ? item.tools : [];
}

function describe(tools: readonly ResponsesWireTool[]): string {
  if (tools.length === 0) return 'No tools were found.';
  return `These tools can be called from now on:\n${tools.flatMap(lines).join('\n')}`;
}

function lines({ type, name, tools }: ResponsesWireTool): string[] {
  const called = typeof name === 'string' ? name : type;
  if (!Array.isArray(tools)) return [`- ${called}`];
  return tools.map((tool: ResponsesWireTool) => `- ${tool.name} (${called})`);
}

export function encodeSearchCall({ id, arguments: written, itemId }: ToolCallPart): InputItem {
  return { type: 'tool_search_call', ...searchCall(id, written), ...defined({ id: itemId }) };
}

/** Encodes the result of a search without the found tools, which are among the request's tools. */
export function encodeSearchOutput(call_id: string, itemId: string | undefined): InputItem {
  return { type: 'tool_search_output', ...defined({ id: itemId }), call_id, execution: 'client', tools: [] };
}

/** Returns the members of calls in requests and in answers. */
export function searchCall(call_id: string, written: string) {
  return { call_id, execution: 'client', arguments: parsed(written) };
}

/** Parses the arguments, which are JSON instead of JSON text in this item. */
function parsed(written: string): unknown {
  const value = written === '' ? {} : parseJson(written);
  return value === undefined ? written : value;
}
