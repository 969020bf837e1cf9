/** What tool calls and results can express, natively in each format. */
import type { ChatRequest } from '../../../../../src/formats/conversation.ts';
import { found, partsOf, type RequestFeature, type Wire } from './feature.ts';
import { image, media, PDF, PNG, user } from './mediaFeatures.ts';

/** Returns a call and its result, in each format. */
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

export const RESULT_FEATURES: readonly RequestFeature[] = [
  {
    name: 'parallel tool calls with results in any order',
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
    name: 'image in a tool result',
    said: resultOf({
      messages: image({ type: 'base64', media_type: 'image/png', data: PNG }),
      responses: { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    }),
    see: inResults('image'),
  },
  {
    name: 'document in a tool result',
    said: resultOf({
      messages: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
      responses: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
    }),
    see: inResults('document'),
  },
  {
    name: 'tool result marked as an error',
    said: resultOf({ messages: { type: 'text', text: 'No such file.' } }, { is_error: true }),
    see: (request, body) =>
      found(partsOf(request).flatMap((part) => (part.type === 'toolResult' && part.isError ? [true] : []))) ??
      found(JSON.stringify(body).match(/The tool failed:/g) ?? []),
  },
];
