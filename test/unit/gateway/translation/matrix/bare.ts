/** Minimal requests and answers, to which features are added. */
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import type { Wire } from './feature.ts';

export const BARE_REQUESTS: Readonly<Record<FormatName, Wire>> = {
  'chat-completions': { model: 'a', messages: [{ role: 'user', content: 'Hi' }] },
  messages: { model: 'a', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'a', input: 'Hi' },
};

export const BARE_ANSWERS: Readonly<Record<FormatName, Wire>> = {
  'chat-completions': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'a',
    choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'a',
    content: [{ type: 'text', text: 'a' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 3 },
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    model: 'a',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'a', annotations: [] }],
      },
    ],
    usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  },
};
