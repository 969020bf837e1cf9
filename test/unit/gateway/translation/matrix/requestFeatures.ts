/** What the conversation and the tools of a request can say, as each format says it natively. */
import type { ChatRequest } from '../../../../../src/formats/conversation.ts';
import { found, partsOf, type RequestFeature, textsOf, type Wire } from './feature.ts';

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjQ=';
const ADDRESS = 'https://example.com/picture.png';
const SCHEMA = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false };
const LONG_NAME = `mcp__${'server'.repeat(12)}__tool`;

const user = (...parts: Wire[]): Wire => ({ role: 'user', content: parts });

/** A user message of one part in each format, and what holds it. */
const inMessage = (parts: { chat?: Wire; messages?: Wire; responses?: Wire }) => ({
  ...(parts.chat && { 'chat-completions': { messages: [user(parts.chat)] } }),
  ...(parts.messages && { messages: { messages: [user(parts.messages)] } }),
  ...(parts.responses && { responses: { input: [user(parts.responses)] } }),
});

/** A call and its result in each format. */
const resultOf = (result: { messages?: Wire; responses?: Wire }, more: Wire = {}) => ({
  ...(result.messages && {
    messages: {
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { x: '1' } }] },
        user({ type: 'tool_result', tool_use_id: 'call_1', content: [result.messages], ...more }),
      ],
    },
  }),
  ...(result.responses && {
    responses: {
      input: [
        { role: 'user', content: 'Look.' },
        { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"x":"1"}' },
        { type: 'function_call_output', call_id: 'call_1', output: [result.responses] },
      ],
    },
  }),
});

const chatTool = (definition: Wire) => ({ type: 'function', function: { name: 'look', ...definition } });
const blockTool = (definition: Wire) => ({ name: 'look', input_schema: SCHEMA, ...definition });
const flatTool = (definition: Wire) => ({ type: 'function', name: 'look', parameters: SCHEMA, ...definition });

/** A choice among two tools. */
const choosing = (choice: { chat?: Wire; messages?: Wire; responses?: Wire }) => {
  const names = [{}, { name: 'find' }];
  return {
    ...(choice.chat && { 'chat-completions': { tools: names.map((name) => chatTool(name)), ...choice.chat } }),
    ...(choice.messages && { messages: { tools: names.map((name) => blockTool(name)), ...choice.messages } }),
    ...(choice.responses && { responses: { tools: names.map((name) => flatTool(name)), ...choice.responses } }),
  };
};

const media = (type: 'image' | 'document') => (request: ChatRequest) =>
  found(partsOf(request).flatMap((part) => (part.type === type ? [part.source] : [])));
const inResults = (type: 'image' | 'document') => (request: ChatRequest) => {
  const results = partsOf(request).flatMap((part) => (part.type === 'toolResult' ? part.content : []));
  const inside = results.flatMap((part) => (part.type === type ? [part.source] : []));
  return inside.length > 0 ? { inside } : media(type)(request);
};
const calls = (request: ChatRequest) =>
  found(
    partsOf(request).flatMap((part) =>
      part.type === 'toolCall' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
    ),
  );
const toolNames = ({ tools = [] }: ChatRequest) => found(tools.map(({ name }) => name));
const image = (source: Wire) => ({ type: 'image', source });
const CUSTOM = { name: 'patch', description: 'Patches.' };
const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };

export const CONVERSATION_FEATURES: readonly RequestFeature[] = [
  {
    name: 'system prompt',
    said: {
      'chat-completions': {
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      messages: { system: 'Be brief.' },
      responses: { instructions: 'Be brief.' },
    },
    see: ({ system }) => found(system.map(({ text }) => text)),
  },
  {
    name: 'several system prompts',
    said: {
      'chat-completions': {
        messages: [
          { role: 'system', content: 'One.' },
          { role: 'developer', content: 'Two.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      messages: {
        system: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
      responses: {
        input: [
          { role: 'developer', content: 'One.' },
          { role: 'system', content: 'Two.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    see: ({ system }) => found(system.map(({ text }) => text)),
  },
  {
    name: 'instructions in the middle',
    said: {
      'chat-completions': {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: 'Be brief.' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: 'Be brief.' },
        ],
      },
      responses: {
        input: [
          { role: 'user', content: 'Hi' },
          { role: 'developer', content: 'Be brief.' },
        ],
      },
    },
    see: (request) => textsOf(request, 'system'),
  },
  {
    name: 'several messages of one role',
    said: {
      'chat-completions': { messages: [user({ type: 'text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
      messages: { messages: [user({ type: 'text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
      responses: { input: [user({ type: 'input_text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
    },
    see: (request) => textsOf(request, 'user'),
  },
  {
    name: 'image by its bytes',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      messages: image({ type: 'base64', media_type: 'image/png', data: PNG }),
      responses: { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    }),
    see: media('image'),
  },
  {
    name: 'image by its address',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: ADDRESS } },
      messages: image({ type: 'url', url: ADDRESS }),
      responses: { type: 'input_image', image_url: ADDRESS, detail: 'auto' },
    }),
    see: media('image'),
  },
  {
    name: 'image by the id of a file',
    said: inMessage({
      messages: image({ type: 'file', file_id: 'file_1' }),
      responses: { type: 'input_image', file_id: 'file_1', detail: 'auto' },
    }),
    see: (request) => media('image')(request) ?? media('document')(request),
  },
  {
    name: 'resolution of an image',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: ADDRESS, detail: 'high' } },
      responses: { type: 'input_image', image_url: ADDRESS, detail: 'high' },
    }),
    see: (request) =>
      found(partsOf(request).flatMap((part) => (part.type === 'image' && part.detail ? [part.detail] : []))),
  },
  {
    name: 'document by its bytes',
    said: inMessage({
      chat: { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
      messages: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
      responses: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
    }),
    see: media('document'),
  },
  {
    name: 'document by its address',
    said: inMessage({
      messages: { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
      responses: { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    }),
    see: media('document'),
  },
  {
    name: 'document of plain text',
    said: inMessage({
      messages: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words.' } },
    }),
    see: (request) => media('document')(request) ?? textsOf(request, 'user'),
  },
  {
    name: 'citations of a document',
    said: inMessage({
      messages: {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
        citations: { enabled: true },
      },
    }),
    see: (_, body) => found(JSON.stringify(body).match(/"citations"/) ?? []),
  },
  {
    name: 'sound',
    said: inMessage({ chat: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } } }),
    see: (_, body) => found(JSON.stringify(body).match(/"input_audio"/) ?? []),
  },
  {
    name: 'parallel calls and results in any order',
    said: {
      'chat-completions': {
        messages: [
          { role: 'user', content: 'Look.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: ['1', '2'].map((x) => ({
              id: `call_${x}`,
              type: 'function',
              function: { name: 'look', arguments: `{"x":"${x}"}` },
            })),
          },
          { role: 'tool', tool_call_id: 'call_2', content: 'b' },
          { role: 'tool', tool_call_id: 'call_1', content: 'a' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Look.' },
          {
            role: 'assistant',
            content: ['1', '2'].map((x) => ({ type: 'tool_use', id: `call_${x}`, name: 'look', input: { x } })),
          },
          user(
            { type: 'tool_result', tool_use_id: 'call_2', content: 'b' },
            { type: 'tool_result', tool_use_id: 'call_1', content: 'a' },
          ),
        ],
      },
      responses: {
        input: [
          { role: 'user', content: 'Look.' },
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"x":"1"}' },
          { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{"x":"2"}' },
          { type: 'function_call_output', call_id: 'call_2', output: 'b' },
          { type: 'function_call_output', call_id: 'call_1', output: 'a' },
        ],
      },
    },
    see: (request) => {
      const results = partsOf(request).flatMap((part) =>
        part.type === 'toolResult' ? [[part.toolCallId, part.content]] : [],
      );
      const made = calls(request);
      return made && { made, results };
    },
  },
  {
    name: 'image in a result',
    said: resultOf({
      messages: image({ type: 'base64', media_type: 'image/png', data: PNG }),
      responses: { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    }),
    see: inResults('image'),
  },
  {
    name: 'document in a result',
    said: resultOf({
      messages: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
      responses: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
    }),
    see: inResults('document'),
  },
  {
    name: 'that a result is an error',
    said: resultOf({ messages: { type: 'text', text: 'No such file.' } }, { is_error: true }),
    see: (request, body) =>
      found(partsOf(request).flatMap((part) => (part.type === 'toolResult' && part.isError ? [true] : []))) ??
      found(JSON.stringify(body).match(/The tool failed:/g) ?? []),
  },
  {
    name: 'reasoning with its signature, given back',
    said: {
      'chat-completions': {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: 'Yes.',
            reasoning_content: 'Hm.',
            reasoning_details: [
              { type: 'reasoning.text', text: 'Hm.', index: 0 },
              { type: 'reasoning.text', signature: 'c2lnbg==', index: 0 },
            ],
          },
          { role: 'user', content: 'Go on.' },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbg==' },
              { type: 'text', text: 'Yes.' },
            ],
          },
          { role: 'user', content: 'Go on.' },
        ],
      },
    },
    see: (request) => found(partsOf(request).flatMap((part) => (part.type === 'reasoning' ? [part] : []))),
  },
  {
    name: 'encrypted reasoning, given back',
    said: {
      responses: {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: 'c2VhbGVk' },
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content: 'Go on.' },
        ],
      },
    },
    see: (request) => found(partsOf(request).flatMap((part) => (part.type === 'reasoning' ? [part] : []))),
  },
  {
    name: 'previous answer by its id',
    said: { responses: { previous_response_id: 'resp_unknown' } },
    see: ({ previousResponseId }) => previousResponseId,
  },
];

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
    name: 'names of more than 64 characters',
    said: {
      'chat-completions': { tools: [chatTool({ name: LONG_NAME })] },
      messages: { tools: [blockTool({ name: LONG_NAME })] },
      responses: { tools: [flatTool({ name: LONG_NAME })] },
    },
    see: toolNames,
  },
  {
    name: 'namespaces of tools',
    said: {
      responses: {
        tools: ['clock', 'shop'].map((name) => ({ type: 'namespace', name, description: name, tools: [flatTool({})] })),
      },
    },
    see: ({ tools = [] }) => found(tools.map(({ name, namespace }) => ({ name, namespace }))),
  },
  {
    name: 'tools as items of the input',
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
    name: 'no parallel calls',
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
    name: 'hosted tools, demanded',
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
