/** Answers that contain more than text: tool calls, sources, a refusal. */
import { answer, user } from './samples.ts';

export const TOOL_CALLS = [
  user('u1', 'When is high water in Bremen, and is there room in the diary?'),
  answer('b1', 'High water is at 14:20, an hour later than yesterday. I look into the diary before I say more.', {
    toolCalls: [
      {
        id: 't1',
        name: 'tides.lookup',
        arguments: '{"place":"Bremen","day":"2026-01-15"}',
        result: '{"high":"14:20"}',
      },
      { id: 't2', name: 'diary', arguments: '{"from":"14:00","to":"16:00"}' },
    ],
    citations: [
      { url: 'https://example.com/tides/bremen', title: 'Tides at Bremen', quote: 'High water on 15 January: 14:20.' },
      { url: 'https://www.example.org/almanac/' },
      { title: 'almanac.pdf' },
    ],
    figures: { inputTokens: 2400, outputTokens: 118, cost: 0.009, firstTokenMs: 700, estimated: false },
  }),
];

export const REFUSED = [
  user('u1', 'Sign this in the name of my neighbour'),
  answer('b1', '', {
    refusal: 'I do not write in the name of someone who has not asked for it. I can draft a letter that **you** sign.',
    refusedBy: 'model',
    figures: { inputTokens: 300, outputTokens: 28, cost: 0.0013, firstTokenMs: 500, estimated: false },
  }),
  user('u2', 'Then something else'),
  answer('b2', '', {
    refusedBy: 'filter',
    figures: { inputTokens: 340, outputTokens: 0, cost: 0.001, estimated: false },
  }),
];
