import type { BodyPart, ShownBody, ShownEvent } from '../../../src/pages/traffic/protocol.ts';

const REQUEST = {
  model: 'familya-opus-4.6',
  max_tokens: 4096,
  stream: true,
  system: 'You work on code. Read before you write.',
  messages: Array.from({ length: 18 }, (_, nth) => ({
    role: nth % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Turn ${nth + 1}` }],
  })),
  tools: [{ name: 'read_file', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }],
};

const WORDS = 'The parser reads one event at a time and keeps what is left for the next piece of the stream.'.split(
  ' ',
);

function textEvents(firstMs: number, stepMs: number): ShownEvent[] {
  return WORDS.map((word, nth) => ({
    atMs: firstMs + nth * stepMs,
    name: 'content_block_delta',
    data: JSON.stringify({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: `${word} ` } }),
  }));
}

const EVENTS: readonly ShownEvent[] = [
  { atMs: 1_104, name: 'message_start', data: '{"type":"message_start","message":{"id":"msg_1","role":"assistant"}}' },
  { atMs: 1_110, name: 'content_block_start', data: '{"type":"content_block_start","index":0}' },
  {
    atMs: 1_700,
    name: 'content_block_delta',
    data: '{"type":"content_block_delta","index":0,"delta":{"thinking":"…"}}',
  },
  ...textEvents(4_203, 40),
  { atMs: 8_960, name: 'content_block_start', data: '{"type":"content_block_start","index":2}' },
  { atMs: 9_110, name: 'message_delta', data: '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}' },
  { atMs: 9_118, name: 'message_stop', data: '{"type":"message_stop"}' },
];

const UPSTREAM_EVENTS: readonly ShownEvent[] = WORDS.map((word, nth) => ({
  atMs: 4_200 + nth * 40,
  data: JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: `${word} ` } }] }),
}));

export const BODIES: Readonly<Record<BodyPart, ShownBody>> = {
  request: body('request', 46_000, { format: 'messages', text: JSON.stringify(REQUEST) }),
  upstreamRequest: body('upstreamRequest', 45_200, {
    format: 'chat-completions',
    text: JSON.stringify({ ...REQUEST, max_tokens: undefined, max_completion_tokens: 4096, system: undefined }),
  }),
  upstreamAnswer: body('upstreamAnswer', 21_000, { format: 'chat-completions', events: UPSTREAM_EVENTS }),
  answer: body('answer', 22_140, {
    format: 'messages',
    events: EVENTS,
    steps: [
      { atMs: 1_110, kind: 'reasoning' },
      { atMs: 4_203, kind: 'text' },
      { atMs: 8_960, kind: 'toolCall', name: 'read_file' },
      { atMs: 9_110, kind: 'finish', name: 'toolCalls' },
    ],
  }),
};

function body(part: BodyPart, bytes: number, content: Partial<ShownBody>): ShownBody {
  return { part, bytes, keptBytes: bytes, isReadable: true, ...content };
}
