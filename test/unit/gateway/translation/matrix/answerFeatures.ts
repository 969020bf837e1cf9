/** What an answer can express, natively in each format. */

import type { ChatResponse } from '../../../../../src/formats/answer.ts';
import { type AssistantPart, FORMAT_NAMES, type ReasoningPart } from '../../../../../src/formats/conversation.ts';
import { reasoningFor } from '../../../../../src/formats/reasoningSeal.ts';
import { type AnswerFeature, found, type Spellings, type Wire } from './feature.ts';

const SOURCE = 'https://example.com/source';

const citations = ({ parts: all }: ChatResponse) =>
  found(all.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : [])));

/** Reasoning as the upstream gets it back: each is named as its format, and its model is `a`. */
function sealsIn(all: readonly AssistantPart[]): readonly ReasoningPart[] {
  const reasoning = all.filter((part) => part.type === 'reasoning');
  return reasoning.map((part) => {
    const opened = FORMAT_NAMES.map((name) => reasoningFor(`${name}/a`, part));
    return opened.find(({ signature, encrypted }) => signature ?? encrypted) ?? part;
  });
}

const choice = (message: Wire, more: Wire = {}) => ({
  choices: [{ index: 0, message, finish_reason: 'stop', ...more }],
});
const output = (...items: Wire[]) => ({ output: items });
const said = (...content: Wire[]) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
});
const outputText = (text: string, more: Wire = {}) => ({ type: 'output_text', text, annotations: [], ...more });

const parts = (type: AssistantPart['type']) => (response: ChatResponse) =>
  found(response.parts.filter((part) => part.type === type));

/** Calls without item IDs, which only one format has. */
const calls = ({ parts: all }: ChatResponse) =>
  found(
    all.flatMap((part) => {
      if (part.type !== 'toolCall') return [];
      return [{ id: part.id, name: part.name, freeForm: part.freeForm, written: part.arguments }];
    }),
  );

const finish = (name: string, spellings: Spellings): AnswerFeature => ({
  name: `finish reason: ${name}`,
  said: spellings,
  see: ({ finishReason }) => finishReason,
});

const cutText = (more: Wire) => ({ ...output(said(outputText('a'))), status: 'incomplete', ...more });

export const ANSWER_FEATURES: readonly AnswerFeature[] = [
  {
    name: 'text',
    said: {
      'chat-completions': choice({ role: 'assistant', content: 'Grüße 🙂' }),
      messages: { content: [{ type: 'text', text: 'Grüße 🙂' }] },
      responses: output(said(outputText('Grüße 🙂'))),
    },
    see: parts('text'),
  },
  {
    name: 'parallel tool calls',
    said: {
      'chat-completions': choice({
        role: 'assistant',
        content: null,
        tool_calls: ['1', '2'].map((x) => ({
          id: `call_${x}`,
          type: 'function',
          function: { name: 'look', arguments: `{"x":"${x}"}` },
        })),
      }),
      messages: {
        content: ['1', '2'].map((x) => ({ type: 'tool_use', id: `call_${x}`, name: 'look', input: { x } })),
        stop_reason: 'tool_use',
      },
      responses: output(
        ...['1', '2'].map((x) => ({
          type: 'function_call',
          id: `fc_${x}`,
          call_id: `call_${x}`,
          name: 'look',
          arguments: `{"x":"${x}"}`,
        })),
      ),
    },
    see: calls,
  },
  {
    name: 'free-form tool call',
    said: {
      'chat-completions': choice({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'patch', input: 'line "1"\n' } }],
      }),
      responses: output({
        type: 'custom_tool_call',
        id: 'ctc_1',
        call_id: 'call_1',
        name: 'patch',
        input: 'line "1"\n',
      }),
    },
    see: calls,
  },
  {
    name: 'text after a tool call',
    said: {
      messages: {
        content: [
          { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
          { type: 'text', text: 'Done.' },
        ],
        stop_reason: 'tool_use',
      },
      responses: output(
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
        said(outputText('Done.')),
      ),
    },
    see: ({ parts: all }) => found(all.map(({ type }) => type)),
  },
  {
    name: 'reasoning',
    said: {
      'chat-completions': choice({ role: 'assistant', content: 'a', reasoning_content: 'Hm.' }),
      messages: {
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'text', text: 'a' },
        ],
      },
      responses: output(
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        said(outputText('a')),
      ),
    },
    see: ({ parts: all }) => found(all.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))),
  },
  {
    name: 'reasoning signature',
    said: {
      messages: {
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbg==' },
          { type: 'text', text: 'a' },
        ],
      },
    },
    see: ({ parts: all }) => found(sealsIn(all).flatMap(({ signature }) => signature ?? [])),
  },
  {
    name: 'encrypted reasoning',
    said: {
      messages: {
        content: [
          { type: 'redacted_thinking', data: 'c2VhbGVk' },
          { type: 'text', text: 'a' },
        ],
      },
      responses: output(
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' },
        said(outputText('a')),
      ),
    },
    see: ({ parts: all }) => found(sealsIn(all).flatMap(({ encrypted }) => encrypted ?? [])),
  },
  {
    name: 'image',
    said: {
      'chat-completions': choice({
        role: 'assistant',
        content: 'a',
        images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
      }),
      responses: output(said(outputText('a')), {
        type: 'image_generation_call',
        id: 'ig_1',
        status: 'completed',
        result: 'iVBORw0KGgo=',
      }),
    },
    see: ({ parts: all }) => found(all.flatMap((part) => (part.type === 'image' ? [part.source] : []))),
  },
  {
    name: 'refusal text',
    said: {
      'chat-completions': choice({ role: 'assistant', content: null, refusal: 'No.' }),
      responses: output(said({ type: 'refusal', refusal: 'No.' })),
    },
    see: (response) => parts('refusal')(response) ?? parts('text')(response),
  },
  {
    name: 'web citations',
    said: {
      'chat-completions': choice({
        role: 'assistant',
        content: 'a',
        annotations: [
          { type: 'url_citation', url_citation: { url: SOURCE, title: 't', start_index: 0, end_index: 1 } },
        ],
      }),
      messages: {
        content: [
          {
            type: 'text',
            text: 'a',
            citations: [{ type: 'web_search_result_location', url: SOURCE, cited_text: 'a' }],
          },
        ],
      },
      responses: output(
        said(
          outputText('a', {
            annotations: [{ type: 'url_citation', url: SOURCE, title: 't', start_index: 0, end_index: 1 }],
          }),
        ),
      ),
    },
    see: citations,
  },
  {
    name: 'document and file citations',
    said: {
      messages: {
        content: [
          {
            type: 'text',
            text: 'a',
            citations: [
              {
                type: 'char_location',
                document_index: 0,
                document_title: 'd',
                cited_text: 'a',
                start_char_index: 0,
                end_char_index: 1,
              },
            ],
          },
        ],
      },
      responses: output(
        said(outputText('a', { annotations: [{ type: 'file_citation', file_id: 'f', filename: 'd', index: 1 }] })),
      ),
    },
    see: citations,
  },
  {
    name: 'hosted tool items',
    said: {
      messages: {
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
          { type: 'text', text: 'a' },
        ],
      },
      responses: output(
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} },
        said(outputText('a')),
      ),
    },
    see: (_, text) => found(text.match(/server_tool_use|web_search_call/) ?? []),
  },
  {
    name: 'log probabilities',
    said: {
      'chat-completions': choice(
        { role: 'assistant', content: 'a' },
        { logprobs: { content: [{ token: 'a', logprob: -0.125, bytes: null, top_logprobs: [] }] } },
      ),
      responses: output(
        said(outputText('a', { logprobs: [{ token: 'a', logprob: -0.125, bytes: [], top_logprobs: [] }] })),
      ),
    },
    see: ({ parts: all }) =>
      found(all.flatMap((part) => (part.type === 'text' ? (part.logProbs ?? []) : [])).map(({ logProb }) => logProb)),
  },
  {
    name: 'usage with cached and reasoning tokens',
    said: {
      'chat-completions': {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          prompt_tokens_details: { cached_tokens: 80 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      },
      messages: {
        usage: {
          input_tokens: 20,
          cache_read_input_tokens: 80,
          output_tokens: 20,
          output_tokens_details: { thinking_tokens: 5 },
        },
      },
      responses: {
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 80 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 5 },
          total_tokens: 120,
        },
      },
    },
    see: ({ usage }) =>
      usage && [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens, usage.reasoningTokens],
  },
  finish('stop', {
    'chat-completions': choice({ role: 'assistant', content: 'a' }),
    messages: { stop_reason: 'end_turn' },
    responses: {},
  }),
  finish('length', {
    'chat-completions': choice({ role: 'assistant', content: 'a' }, { finish_reason: 'length' }),
    messages: { stop_reason: 'max_tokens' },
    responses: cutText({ incomplete_details: { reason: 'max_output_tokens' } }),
  }),
  finish('content filter', {
    'chat-completions': choice({ role: 'assistant', content: 'a' }, { finish_reason: 'content_filter' }),
    responses: cutText({ incomplete_details: { reason: 'content_filter' } }),
  }),
  finish('refusal', { messages: { stop_reason: 'refusal' } }),
  {
    name: 'explanation of a refusal',
    said: {
      messages: { content: [], stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'No.' } },
    },
    see: parts('refusal'),
  },
  finish('pause', { messages: { stop_reason: 'pause_turn' } }),
  finish('context window full', { messages: { stop_reason: 'model_context_window_exceeded' } }),
  {
    name: 'finish reason: stop sequence, with its text',
    said: { messages: { stop_reason: 'stop_sequence', stop_sequence: 'END' } },
    see: ({ finishReason, stopSequence }) => [finishReason, stopSequence],
  },
];
