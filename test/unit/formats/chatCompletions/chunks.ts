/** Short streams of this format, and what the decoder returns for them. */

import { assembleResponse, type ChatEvent, type ChatResponse } from '../../../../src/formats/answer.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import { readEvents } from '../streams.ts';

export const START: ChatEvent = { type: 'start', id: 'chatcmpl-1', model: 'familyc-5.4', createdAt: 1_790_000_000 };
const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'familyc-5.4' };
export const DONE = 'data: [DONE]\n\n';

export function chunk(fields: object): string {
  return `data: ${JSON.stringify({ ...HEAD, ...fields })}\n\n`;
}

export function delta(value: object, finish: string | null = null): string {
  return chunk({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
}

export function fragment(value: object): string {
  return delta({ tool_calls: [value] });
}

export const FINISH = delta({}, 'stop');
export const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
export const COUNTED: ChatEvent = { type: 'usage', usage: { inputTokens: 9, outputTokens: 3 } };

export function read(...pieces: string[]): ChatEvent[] {
  return readEvents(chatCompletions, pieces.join(''));
}

export function assemble(...pieces: string[]): ChatResponse {
  return assembleResponse(read(...pieces));
}

/** Returns the kind of the error that ended the stream, if any. */
export function failure(events: readonly ChatEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === 'error' ? last.error.kind : undefined;
}
