import type { ChatRequest, HostedTool, Tool, ToolChoice } from '../conversation.ts';
import { defined, type JsonObject } from '../json.ts';
import { asParameters, readToolChoice } from '../tools.ts';
import {
  isClientTool,
  isKnownTool,
  type ResponsesClientTool,
  type ResponsesToolChoice,
  type ResponsesWireTool,
} from './schema.ts';

type Tooling = Pick<ChatRequest, 'tools' | 'hostedTools'>;

export const TOOL_SEARCH = 'tool_search';

/**
 * Decodes tools. Namespaces are flattened: each tool names its namespace.
 * @param beside tools in the request's `tools`.
 * @param within tools that are items of the conversation.
 */
export function decodeTools(beside: readonly ResponsesWireTool[], within: readonly ResponsesWireTool[]): Tooling {
  const tools: Tool[] = [];
  const hostedTools: HostedTool[] = [];
  for (const [nth, wire] of [beside, within].entries()) {
    const source = nth === 0 ? {} : { fromInput: true as const };
    for (const [namespace, tool] of wire.flatMap(flatten)) {
      if (isClientTool(tool) && !isHostedSearch(tool)) tools.push({ ...decodeTool(tool, namespace), ...source });
      else hostedTools.push({ format: 'responses', type: tool.type, definition: tool as JsonObject, ...source });
    }
  }
  return { ...(tools.length > 0 && { tools }), ...(hostedTools.length > 0 && { hostedTools }) };
}

type InNamespace = [namespace: string | undefined, tool: ResponsesWireTool];

function flatten(tool: ResponsesWireTool): InNamespace[] {
  if (!isKnownTool(tool) || tool.type !== 'namespace') return [[undefined, tool]];
  return tool.tools.map((inner) => [tool.name, inner]);
}

function isHostedSearch(tool: ResponsesClientTool): boolean {
  return tool.type === TOOL_SEARCH && tool.execution !== 'client';
}

function decodeTool(tool: ResponsesClientTool, namespace: string | undefined): Tool {
  const description = tool.description ?? undefined;
  if (tool.type === TOOL_SEARCH) {
    const parameters = tool.parameters ?? undefined;
    return defined({ name: TOOL_SEARCH, description, parameters, toolSearch: true as const });
  }
  const { name } = tool;
  if (tool.type === 'custom') {
    // Without a grammar the format is plain text, which is the default.
    const { type: format, ...definition } = tool.format ?? {};
    const grammar = format === 'grammar' ? definition : undefined;
    return defined({ name, description, freeForm: true as const, grammar, namespace });
  }
  const parameters = tool.parameters ?? undefined;
  return defined({ name, description, parameters, strict: tool.strict ?? undefined, namespace });
}

/** Encodes tools, grouping adjacent tools of one namespace again. Hosted tools of other formats are dropped. */
export function encodeTools({ tools = [], hostedTools = [] }: Tooling): ResponsesWireTool[] {
  const wire: ResponsesWireTool[] = [];
  for (const group of groupsByNamespace(tools)) {
    const namespace = group[0]?.namespace;
    const members = group.map(encodeTool);
    // A description is required in this format, and the neutral form has none for a namespace.
    if (namespace === undefined) for (const member of members) wire.push(member);
    else wire.push({ type: 'namespace', name: namespace, description: namespace, tools: members });
  }
  const own = hostedTools.filter(({ format }) => format === 'responses');
  return [...wire, ...own.map(({ type, definition }) => ({ type, ...definition }))];
}

function groupsByNamespace(tools: readonly Tool[]): Tool[][] {
  const groups: Tool[][] = [];
  for (const tool of tools) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.namespace === tool.namespace) last.push(tool);
    else groups.push([tool]);
  }
  return groups;
}

/** Encodes a tool. `strict` must be explicit, because functions are strict by default in this format. */
function encodeTool({
  name,
  description,
  parameters,
  strict,
  freeForm,
  grammar,
  toolSearch,
}: Tool): ResponsesClientTool {
  if (toolSearch) return { type: TOOL_SEARCH, execution: 'client', ...defined({ description, parameters }) };
  if (freeForm) {
    return { type: 'custom', name, ...defined({ description, format: grammar && { type: 'grammar', ...grammar } }) };
  }
  return {
    type: 'function',
    name,
    ...defined({ description }),
    parameters: asParameters(parameters),
    strict: strict ?? false,
  };
}

export function decodeToolChoice(choice: ResponsesToolChoice): ToolChoice {
  const read = readToolChoice(choice);
  if (read.type !== 'tool' || typeof choice === 'string') return read;
  return { ...read, ...defined({ namespace: choice.namespace || undefined }) };
}

export function encodeToolChoice(choice: ToolChoice, tooling: Tooling): ResponsesToolChoice {
  switch (choice.type) {
    case 'tool':
      return { ...referrer(tooling)(choice.name), ...defined({ namespace: choice.namespace }) };
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: choice.names.map(referrer(tooling)),
      };
    default:
      return choice.type;
  }
}

function referrer({ tools = [], hostedTools = [] }: Tooling): (name: string) => Reference {
  const named = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
  const own = hostedTools.filter(({ format }) => format === 'responses');
  const hosted = new Map(own.toReversed().map((tool) => [tool.type, tool]));
  return (name) => reference(name, named.get(name), hosted.get(name));
}

type Reference = { type: string; name?: string };

function reference(name: string, tool: Tool | undefined, hosted: HostedTool | undefined): Reference {
  if (tool?.toolSearch) return { type: TOOL_SEARCH };
  if (tool !== undefined) return { type: tool.freeForm ? 'custom' : 'function', name };
  if (hosted === undefined) return { type: 'function', name };
  const server = hosted.definition.server_label;
  return { type: name, ...(typeof server === 'string' && { server_label: server }) };
}
