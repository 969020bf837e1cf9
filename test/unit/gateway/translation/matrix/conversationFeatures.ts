/** What the conversation of a request can express, natively in each format. */
import { found, partsOf, type RequestFeature, textsOf } from './feature.ts';
import { MEDIA_FEATURES, user } from './mediaFeatures.ts';
import { RESULT_FEATURES } from './resultFeatures.ts';

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
    name: 'system prompt in the middle',
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
    name: 'consecutive messages of one role',
    said: {
      'chat-completions': { messages: [user({ type: 'text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
      messages: { messages: [user({ type: 'text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
      responses: { input: [user({ type: 'input_text', text: 'One.' }), { role: 'user', content: 'Two.' }] },
    },
    see: (request) => textsOf(request, 'user'),
  },
  ...MEDIA_FEATURES,
  ...RESULT_FEATURES,
  {
    name: 'signed reasoning, sent back',
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
    name: 'encrypted reasoning, sent back',
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
    name: '`previous_response_id`',
    said: { responses: { previous_response_id: 'resp_unknown' } },
    see: ({ previousResponseId }) => previousResponseId,
  },
];
