/** What the reports of answers have in common: their form, and the words of the three formats. */
import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../../src/formats/answer.ts';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import type { ExchangeRecord } from '../../../../../src/gateway/core/exchangeRecord.ts';
import type { Answer } from '../../../../support/modelServer/modelServer.ts';

export type Format = 'c' | 'm' | 'r';
export const FORMATS: Readonly<Record<Format, FormatName>> = { c: 'chat-completions', m: 'messages', r: 'responses' };

export interface Seen {
  readonly status: number;
  readonly text: string;
  readonly record: ExchangeRecord;
  /** What a client of the format reads. Undefined if it reads an error. */
  readonly answer: ChatResponse | undefined;
  readonly error: string | undefined;
}

export interface Report {
  readonly source: string;
  /** The format of the client, then that of the server. */
  readonly pair: `${Format}${Format}`;
  readonly says: string;
  readonly answer: Answer;
  readonly check: (seen: Seen) => void;
  readonly whole?: true;
  /** The request of the client, without its model. A question if undefined. */
  readonly request?: object;
  /** Checks what the server has received. */
  // biome-ignore lint/suspicious/noExplicitAny: reports look at members of all kinds
  readonly sent?: (body: any) => void;
}

export const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
export const counted = (usage: object) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage })}\n\n`;
export const named = (event: { readonly type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
export const DONE = 'data: [DONE]\n\n';
export const USAGE = { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 };
export const stream = (...events: readonly string[]): Answer => ({ stream: events.join('') });
export const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
});

export const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  output: [],
  status,
  ...more,
});
export const created = named({
  type: 'response.created',
  ...{ sequence_number: 0, response: response('in_progress') },
});
export const saidR = (text: string) =>
  [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      output_index: 0,
      item_id: 'msg_1',
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', content_index: 0, delta: text },
  ]
    .map((event, nth) => named({ ...event, ...{ sequence_number: nth + 1 } }))
    .join('');
export const usageR = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 42,
};
export const startM = (usage: object) =>
  named({
    type: 'message_start',
    ...{
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
  });
export const saidM = (text: string) =>
  [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
  ]
    .map(named)
    .join('');
export const endM = (usage: object) =>
  named({ type: 'message_delta', ...{ delta: { stop_reason: 'end_turn', stop_sequence: null }, usage } }) +
  named({ type: 'message_stop' });

export const callsOf = ({ answer }: Seen) =>
  (answer?.parts ?? []).flatMap((part) => (part.type === 'toolCall' ? [[part.name, part.arguments]] : []));
const textOf = ({ answer }: Seen) =>
  (answer?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
export const says = (text: string) => (seen: Seen) => {
  assert.equal(seen.error, undefined);
  assert.equal(textOf(seen), text);
};
export const calls =
  (...expected: readonly (readonly [string, string])[]) =>
  (seen: Seen) => {
    assert.equal(seen.error, undefined);
    assert.deepEqual(callsOf(seen), expected);
  };
export const fails = (reason: RegExp) => (seen: Seen) => {
  assert.match(seen.error ?? `no error: ${seen.text}`, reason);
  assert.equal(seen.record.end, 'upstreamFailed');
};
export const uses =
  (inputTokens: number, outputTokens: number, isEstimated = false) =>
  (seen: Seen) => {
    const { usage, usageIsEstimated = false } = seen.record;
    assert.deepEqual(
      [usage?.inputTokens, usage?.outputTokens, usageIsEstimated],
      [inputTokens, outputTokens, isEstimated],
    );
  };
export const CUT = /Connection error|incomplete|without any output/i;
