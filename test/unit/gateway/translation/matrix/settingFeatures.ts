/** What the settings of a request can express, natively in each format. */
import type { ChatRequest } from '../../../../../src/formats/conversation.ts';
import { found, partsOf, type RequestFeature, type Spellings } from './feature.ts';

const SCHEMA = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false };

/** A member with the same meaning in all given formats. */
function member(name: string, spellings: Spellings, key: keyof ChatRequest): RequestFeature {
  return { name, said: spellings, see: (request) => request[key] };
}

/** Members that the neutral form does not support. */
function droppedMember(name: string, spellings: Spellings, wireName: string): RequestFeature {
  return { name, said: spellings, see: (_, body) => body[wireName] };
}

const inAll = (members: object): Spellings => ({ 'chat-completions': members, messages: members, responses: members });

export const SETTING_FEATURES: readonly RequestFeature[] = [
  member(
    'max output tokens',
    {
      'chat-completions': { max_completion_tokens: 50 },
      messages: { max_tokens: 50 },
      responses: { max_output_tokens: 50 },
    },
    'maxTokens',
  ),
  member('temperature up to 1', inAll({ temperature: 0.5 }), 'temperature'),
  member(
    'temperature above 1',
    { 'chat-completions': { temperature: 1.5 }, responses: { temperature: 1.5 } },
    'temperature',
  ),
  member('`top_p`', inAll({ top_p: 0.9 }), 'topP'),
  member('`top_k`', { messages: { top_k: 5 } }, 'topK'),
  member('penalties', { 'chat-completions': { frequency_penalty: 0.5, presence_penalty: 0.5 } }, 'frequencyPenalty'),
  member('seed', { 'chat-completions': { seed: 7 } }, 'seed'),
  {
    name: 'stop sequences',
    said: { 'chat-completions': { stop: ['END'] }, messages: { stop_sequences: ['END'] } },
    see: ({ stopSequences }) => stopSequences,
    // Tested in stopSequences.test.ts.
    unasked: ['responses'],
  },
  {
    name: 'JSON Schema response format',
    said: {
      'chat-completions': {
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA, strict: true } },
      },
      messages: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
      responses: { text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true } } },
    },
    see: ({ responseFormat }) => (responseFormat?.type === 'jsonSchema' ? responseFormat.schema : undefined),
  },
  {
    name: 'JSON response format',
    said: {
      'chat-completions': { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
    },
    see: ({ responseFormat, system }) => responseFormat ?? found(system.map(({ text }) => text)),
  },
  {
    name: 'reasoning effort',
    said: {
      'chat-completions': { reasoning_effort: 'high' },
      messages: { output_config: { effort: 'high' } },
      responses: { reasoning: { effort: 'high' } },
    },
    see: ({ reasoning }) => reasoning?.effort,
  },
  {
    name: 'reasoning budget',
    said: {
      'chat-completions': { reasoning: { max_tokens: 2048 } },
      messages: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    },
    see: ({ reasoning }) => reasoning?.budgetTokens ?? reasoning?.effort,
  },
  {
    name: 'adaptive reasoning',
    said: { messages: { thinking: { type: 'adaptive' } } },
    see: ({ reasoning }) => (reasoning?.adaptive ? 'adaptive' : reasoning?.summary && 'as the model does by itself'),
  },
  {
    name: 'no reasoning',
    said: {
      'chat-completions': { reasoning_effort: 'none' },
      messages: { thinking: { type: 'disabled' } },
      responses: { reasoning: { effort: 'none' } },
    },
    see: ({ reasoning }) => reasoning?.effort,
  },
  {
    name: 'reasoning summaries',
    said: {
      messages: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
      responses: { reasoning: { effort: 'low', summary: 'auto' } },
    },
    see: ({ reasoning }) => reasoning?.summary,
    // Services of these formats always return their visible reasoning.
    unasked: ['chat-completions', 'messages'],
  },
  member(
    'verbosity',
    { 'chat-completions': { verbosity: 'low' }, responses: { text: { verbosity: 'low' } } },
    'verbosity',
  ),
  member('service tier `auto`', inAll({ service_tier: 'auto' }), 'serviceTier'),
  member(
    'service tier `priority`',
    { 'chat-completions': { service_tier: 'priority' }, responses: { service_tier: 'priority' } },
    'serviceTier',
  ),
  member(
    'user id',
    {
      'chat-completions': { user: 'u-1' },
      messages: { metadata: { user_id: 'u-1' } },
      responses: { safety_identifier: 'u-1' },
    },
    'userId',
  ),
  member('user id over 64 characters', { messages: { metadata: { user_id: 'u'.repeat(200) } } }, 'userId'),
  member('metadata', { 'chat-completions': { metadata: { a: 'b' } }, responses: { metadata: { a: 'b' } } }, 'metadata'),
  {
    name: 'cache hints',
    said: {
      messages: {
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
      },
      responses: {
        input: [
          {
            role: 'user',
            content: [{ type: 'input_text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } }],
          },
        ],
      },
    },
    see: (request) =>
      found([...request.system, ...partsOf(request)].flatMap((part) => ('cacheHint' in part ? [part.cacheHint] : []))),
  },
  member(
    'prompt cache key',
    { 'chat-completions': { prompt_cache_key: 'k' }, responses: { prompt_cache_key: 'k' } },
    'promptCacheKey',
  ),
  member('truncation', { responses: { truncation: 'auto' } }, 'truncation'),
  droppedMember('`context_management`', { messages: { context_management: { edits: [] } } }, 'context_management'),
  droppedMember('several choices (`n`)', { 'chat-completions': { n: 2 } }, 'n'),
  {
    name: 'log probabilities',
    said: {
      'chat-completions': { logprobs: true, top_logprobs: 2 },
      responses: { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    },
    see: ({ logProbs }) => logProbs,
  },
  droppedMember('logit bias', { 'chat-completions': { logit_bias: { 5: 1 } } }, 'logit_bias'),
  droppedMember('stored conversation', { responses: { conversation: 'conv_1' } }, 'conversation'),
  droppedMember('thread, first message', { messages: { thread: { type: 'create' } } }, 'thread'),
  droppedMember(
    'thread, continued',
    { messages: { thread: { type: 'continue', previous_message_id: 'msg_1' } } },
    'thread',
  ),
  droppedMember('stored prompt', { responses: { prompt: { id: 'pmpt_1' } } }, 'prompt'),
  droppedMember('background', { responses: { background: true } }, 'background'),
  {
    name: 'hosted tool items',
    said: {
      responses: {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
        ],
      },
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }],
          },
        ],
      },
    },
    see: (_, body) => found(JSON.stringify(body).match(/web_search_call|server_tool_use/g) ?? []),
  },
];
