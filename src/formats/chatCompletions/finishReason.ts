import type { FinishReason } from '../conversation.ts';

/** The format's own finish reasons, and those of other formats that its servers pass on. */
const DECODED: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'toolCalls',
  function_call: 'toolCalls',
  content_filter: 'contentFilter',
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  end: 'stop',
  stop_sequence: 'stopSequence',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'contextWindow',
  tool_use: 'toolCalls',
  tool_call: 'toolCalls',
  refusal: 'refusal',
  safety: 'contentFilter',
  sensitive: 'contentFilter',
  recitation: 'contentFilter',
  blocklist: 'contentFilter',
  prohibited_content: 'contentFilter',
  spii: 'contentFilter',
  pause_turn: 'pause',
};

/** Whether an answer was interrupted. Only known words are a normal end: `abort` and the like must not look complete. */
export function isFailure(reason: string): boolean {
  return !Object.hasOwn(DECODED, reason.toLowerCase());
}

/** Whether there are tool calls depends on the content, whatever the server reports. A missing reason is a natural end. */
export function decodeFinishReason(wire: string | null | undefined, hasToolCalls: boolean): FinishReason {
  const word = wire?.toLowerCase() ?? 'stop';
  const reason = Object.hasOwn(DECODED, word) ? (DECODED[word] ?? 'stop') : 'stop';
  if (reason === 'stop' && hasToolCalls) return 'toolCalls';
  if (reason === 'toolCalls' && !hasToolCalls) return 'stop';
  return reason;
}

const ENCODED: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  stopSequence: 'stop',
  pause: 'stop',
  length: 'length',
  contextWindow: 'length',
  toolCalls: 'tool_calls',
  refusal: 'content_filter',
  contentFilter: 'content_filter',
};

/** @param isOlder whether calls are sent in the older form. */
export function encodeFinishReason(reason: FinishReason, isOlder = false): string {
  return isOlder && reason === 'toolCalls' ? 'function_call' : ENCODED[reason];
}
