/**
 * Reads a request as a model server of each format does. It does not use the product's decoders, which could have the
 * same errors as its encoders.
 */
import type { AskedRequest } from './modelServer.ts';

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Names of the arguments. */
  readonly parameters: readonly string[];
}

export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON text. */
  readonly arguments: string;
}

export interface AskedConversation {
  readonly tools: readonly OfferedTool[];
  readonly mayCallSeveral: boolean;
  /** All text of the user. */
  readonly prompt: string;
  readonly calls: readonly AskedCall[];
  readonly results: readonly { readonly callId: string; readonly text: string }[];
  /** Signatures and similar, which prove earlier reasoning. */
  readonly proofs: readonly string[];
}

type Body = AskedRequest['body'];

export function readConversation({ format, body }: AskedRequest): AskedConversation {
  switch (format) {
    case 'chat-completions':
      return readChatCompletions(body);
    case 'messages':
      return readMessages(body);
    case 'responses':
      return readResponses(body);
    default:
      throw new Error('This is no request for an answer.');
  }
}

function readChatCompletions({ messages, tools = [], parallel_tool_calls }: Body): AskedConversation {
  const by = (role: string) => messages.filter((message: Body) => message.role === role);
  return {
    tools: tools.map((tool: Body) => offered(tool.function, tool.function.parameters)),
    mayCallSeveral: parallel_tool_calls !== false,
    prompt: by('user').map(textOf).join('\n'),
    calls: by('assistant').flatMap(({ tool_calls = [] }: Body) =>
      tool_calls.map((call: Body) => ({ id: call.id, ...call.function })),
    ),
    results: by('tool').map((message: Body) => ({ callId: message.tool_call_id, text: textOf(message) })),
    proofs: [],
  };
}

function readMessages({ messages, tools = [], tool_choice }: Body): AskedConversation {
  const blocks: Body[] = messages.flatMap(({ role, content }: Body) =>
    typeof content === 'string'
      ? [{ role, type: 'text', text: content }]
      : content.map((each: Body) => ({ role, ...each })),
  );
  const by = (type: string) => blocks.filter((block) => block.type === type);
  return {
    tools: tools.map((tool: Body) => offered(tool, tool.input_schema)),
    mayCallSeveral: tool_choice?.disable_parallel_tool_use !== true,
    prompt: by('text')
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join('\n'),
    calls: by('tool_use').map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })),
    results: by('tool_result').map((block) => ({ callId: block.tool_use_id, text: textOf(block) })),
    proofs: by('thinking').map(({ signature }) => signature),
  };
}

function readResponses({ input, tools = [], parallel_tool_calls }: Body): AskedConversation {
  const by = (...types: string[]) => input.filter((item: Body) => types.includes(item.type ?? 'message'));
  const brought = by('additional_tools', 'tool_search_output').flatMap((item: Body) => item.tools);
  return {
    tools: [...tools, ...brought].flatMap((tool) => offeredHere(tool)),
    mayCallSeveral: parallel_tool_calls !== false,
    prompt: by('message')
      .filter(({ role }: Body) => role === 'user')
      .map(textOf)
      .join('\n'),
    calls: by('function_call', 'custom_tool_call', 'tool_search_call').map((item: Body) => ({
      id: item.call_id,
      name: flatName(item.name ?? 'tool_search', item.namespace),
      arguments: argumentsOf(item),
    })),
    results: by('function_call_output', 'custom_tool_call_output', 'tool_search_output').map((item: Body) => ({
      callId: item.call_id,
      text: partsText(item.output ?? ''),
    })),
    proofs: by('reasoning').flatMap((item: Body) => item.encrypted_content ?? []),
  };
}

/** Returns tools with the names that upstreams without namespaces use. */
function offeredHere(tool: Body, namespace?: string): OfferedTool[] {
  const name = flatName(tool.name ?? tool.type, namespace);
  switch (tool.type) {
    case 'namespace':
      return tool.tools.flatMap((inner: Body) => offeredHere(inner, tool.name));
    case 'custom':
      return [{ name, description: tool.description ?? '', parameters: ['input'] }];
    case 'function':
      return [offered({ ...tool, name }, tool.parameters)];
    case 'tool_search':
      return tool.execution === 'client' ? [offered({ ...tool, name }, tool.parameters)] : [];
    default:
      return [];
  }
}

function flatName(name: string, namespace?: string): string {
  return namespace ? `${namespace}__${name}` : name;
}

function argumentsOf(item: Body): string {
  if (item.type === 'custom_tool_call') return JSON.stringify({ input: item.input });
  return item.type === 'tool_search_call' ? JSON.stringify(item.arguments) : item.arguments;
}

function offered({ name, description = '' }: Body, schema: Body): OfferedTool {
  return { name, description, parameters: Object.keys(schema?.properties ?? {}) };
}

function textOf({ content }: Body): string {
  return partsText(content);
}

function partsText(content: Body): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part: Body) => part.text ?? '').join('\n');
}
