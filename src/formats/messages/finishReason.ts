import type { FinishReason } from '../conversation.ts';

const STOP_REASONS = {
  stop: 'end_turn',
  stopSequence: 'stop_sequence',
  length: 'max_tokens',
  toolCalls: 'tool_use',
  refusal: 'refusal',
  contentFilter: 'refusal',
  pause: 'pause_turn',
  contextWindow: 'model_context_window_exceeded',
} as const satisfies Record<FinishReason, string>;

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stopSequence'],
  ['max_tokens', 'length'],
  ['tool_use', 'toolCalls'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['model_context_window_exceeded', 'contextWindow'],
  // Words of other formats, which servers of several formats send here.
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_output_tokens', 'length'],
  ['tool_calls', 'toolCalls'],
  ['content_filter', 'contentFilter'],
]);

/** Whether an answer was interrupted. Only known words are a normal end. */
export function isFailure(reason: string): boolean {
  return !FINISH_REASONS.has(reason);
}

/**
 * Corrects the reason by the content: an answer that stops after tool calls ended because of them, and an answer
 * without tool calls did not.
 */
function settled(reason: FinishReason, called: boolean): FinishReason {
  if (called && reason === 'stop') return 'toolCalls';
  return !called && reason === 'toolCalls' ? 'stop' : reason;
}

export function decodeStopReason(reason: string | null | undefined, called: boolean): FinishReason {
  return settled(FINISH_REASONS.get(reason ?? '') ?? 'stop', called);
}

export function encodeFinishReason(reason: FinishReason, called: boolean): string {
  return STOP_REASONS[settled(reason, called)];
}
