/** What the tools of a request can express, natively in each format. */
import type { ChatRequest } from '../../../../../src/formats/conversation.ts';
import { found, type RequestFeature, type Wire } from './feature.ts';

const SCHEMA = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false };
const LONG_NAME = `mcp__${'server'.repeat(12)}__tool`;

const chatTool = (definition: Wire) => ({ type: 'function', function: { name: 'look', ...definition } });
const blockTool = (definition: Wire) => ({ name: 'look', input_schema: SCHEMA, ...definition });
const flatTool = (definition: Wire) => ({ type: 'function', name: 'look', parameters: SCHEMA, ...definition });

/** Returns a choice between two tools, in each format. */
const choosing = (choice: { chat?: Wire; messages?: Wire; responses?: Wire }) => {
  const names = [{}, { name: 'find' }];
  return {
    ...(choice.chat && { 'chat-completions': { tools: names.map((name) => chatTool(name)), ...choice.chat } }),
    ...(choice.messages && { messages: { tools: names.map((name) => blockTool(name)), ...choice.messages } }),
    ...(choice.responses && { responses: { tools: names.map((name) => flatTool(name)), ...choice.responses } }),
  };
};

const toolNames = ({ tools = [] }: ChatRequest) => found(tools.map(({ name }) => name));
const CUSTOM = { name: 'patch', description: 'Patches.' };
const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };

export const TOOL_FEATURES: readonly RequestFeature[] = [
  {
    name: 'tools',
    said: {
      'chat-completions': { tools: [chatTool({ description: 'Looks.', parameters: SCHEMA })] },
      messages: { tools: [blockTool({ description: 'Looks.' })] },
      responses: { tools: [flatTool({ description: 'Looks.' })] },
    },
    see: ({ tools }) => tools?.map(({ name, description, parameters }) => ({ name, description, parameters })),
  },
  {
    name: 'strict tools',
    said: {
      'chat-completions': { tools: [chatTool({ parameters: SCHEMA, strict: true })] },
      messages: { tools: [blockTool({ strict: true })] },
      responses: { tools: [flatTool({ strict: true })] },
    },
    see: ({ tools = [] }) => found(tools.filter(({ strict }) => strict).map(({ name }) => name)),
  },
  {
    name: 'tool names over 64 characters',
    said: {
      'chat-completions': { tools: [chatTool({ name: LONG_NAME })] },
      messages: { tools: [blockTool({ name: LONG_NAME })] },
      responses: { tools: [flatTool({ name: LONG_NAME })] },
    },
    see: toolNames,
  },
  {
    name: 'tool namespaces',
    said: {
      responses: {
        tools: ['clock', 'shop'].map((name) => ({ type: 'namespace', name, description: name, tools: [flatTool({})] })),
      },
    },
    see: ({ tools = [] }) => found(tools.map(({ name, namespace }) => ({ name, namespace }))),
  },
  {
    name: 'tools as input items',
    said: {
      responses: {
        input: [
          { type: 'additional_tools', role: 'developer', tools: [flatTool({})] },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    see: toolNames,
  },
  {
    name: 'free-form tools',
    said: {
      'chat-completions': { tools: [{ type: 'custom', custom: CUSTOM }] },
      responses: { tools: [{ type: 'custom', ...CUSTOM }] },
    },
    see: ({ tools = [] }) => found(tools.map(({ name, freeForm }) => ({ name, freeForm }))),
  },
  {
    name: 'grammars of free-form tools',
    said: {
      'chat-completions': {
        tools: [
          {
            type: 'custom',
            custom: {
              ...CUSTOM,
              format: { type: 'grammar', grammar: { syntax: 'lark', definition: GRAMMAR.definition } },
            },
          },
        ],
      },
      responses: { tools: [{ type: 'custom', ...CUSTOM, format: GRAMMAR }] },
    },
    see: ({ tools = [] }) =>
      found(
        tools.flatMap(({ grammar, description }): unknown[] => {
          if (grammar !== undefined) return [{ syntax: grammar.syntax, definition: grammar.definition }];
          return description?.includes(GRAMMAR.definition) ? ['described'] : [];
        }),
      ),
  },
  ...(['auto', 'required', 'none'] as const).map(
    (choice): RequestFeature => ({
      name: `tool choice: ${choice}`,
      said: choosing({
        chat: { tool_choice: choice },
        messages: { tool_choice: { type: choice === 'required' ? 'any' : choice } },
        responses: { tool_choice: choice },
      }),
      see: ({ toolChoice }) => toolChoice,
    }),
  ),
  {
    name: 'tool choice: one tool',
    said: choosing({
      chat: { tool_choice: { type: 'function', function: { name: 'look' } } },
      messages: { tool_choice: { type: 'tool', name: 'look' } },
      responses: { tool_choice: { type: 'function', name: 'look' } },
    }),
    see: ({ toolChoice }) => toolChoice,
  },
  {
    name: 'tool choice: allowed tools',
    said: choosing({
      chat: {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
        },
      },
      responses: { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look' }] } },
    }),
    see: ({ toolChoice, tools = [] }) =>
      toolChoice?.type === 'allowed' ? toolChoice : tools.length === 1 ? toolNames({ ...NOTHING, tools }) : undefined,
  },
  {
    name: 'parallel tool calls disabled',
    said: choosing({
      chat: { parallel_tool_calls: false },
      messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      responses: { parallel_tool_calls: false },
    }),
    see: ({ parallelToolCalls }) => parallelToolCalls,
  },
  {
    name: 'hosted tools, offered',
    said: {
      'chat-completions': { tools: [chatTool({})], web_search_options: { search_context_size: 'low' } },
      messages: { tools: [blockTool({}), { type: 'web_search_20250305', name: 'web_search' }] },
      responses: { tools: [flatTool({}), { type: 'web_search' }] },
    },
    see: ({ hostedTools = [] }) => found(hostedTools.map(({ type }) => type)),
  },
  {
    name: 'hosted tools, required',
    said: {
      messages: {
        tools: [blockTool({}), { type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      responses: { tools: [flatTool({}), { type: 'web_search' }], tool_choice: { type: 'web_search' } },
    },
    see: ({ hostedTools = [] }) => found(hostedTools.map(({ type }) => type)),
  },
];

const NOTHING: ChatRequest = { model: '', system: [], messages: [] };
