import { type ApiError, endedEarly } from '../apiError.ts';
import type { AssistantPart, FinishReason } from '../conversation.ts';
import type { StreamedResponse } from './schema.ts';

type PartType = AssistantPart['type'];

/** Words for answers that were cut at a limit. */
const LIMITS: ReadonlySet<string> = new Set(['max_output_tokens', 'max_tokens', 'length', 'context_length_exceeded']);

/**
 * Returns the error of an answer that has ended for no reason that is known. Only known words are a normal end.
 * @param isIncomplete whether the service says that it is, whatever its reason.
 */
export function endedEarlyBy(wire: StreamedResponse, isIncomplete = false): ApiError | undefined {
  const reason = wire.incomplete_details?.reason;
  const isCut = isIncomplete || wire.status === 'incomplete';
  const word = isCut || reason ? reason : undefined;
  if (!word || word === 'content_filter' || LIMITS.has(word)) return undefined;
  return { kind: 'server', message: endedEarly(word) };
}

/** Derives the finish reason from the status and the content, because the format has none. */
export function decodeFinishReason(wire: StreamedResponse, partTypes: ReadonlySet<PartType>): FinishReason {
  if (wire.status === 'incomplete' || wire.incomplete_details?.reason) {
    return wire.incomplete_details?.reason === 'content_filter' ? 'contentFilter' : 'length';
  }
  if (partTypes.has('toolCall')) return 'toolCalls';
  return partTypes.has('refusal') ? 'refusal' : 'stop';
}

export interface Ending {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Encodes the finish reason. A refusal without text can only be expressed as filtered content. */
export function encodeFinishReason(reason: FinishReason, hasRefusal: boolean): Ending {
  if (reason === 'length' || reason === 'contextWindow') return incomplete('max_output_tokens');
  if (reason === 'contentFilter') return incomplete('content_filter');
  if (reason === 'refusal' && !hasRefusal) return incomplete('content_filter');
  return { status: 'completed', incomplete_details: null };
}

function incomplete(reason: 'max_output_tokens' | 'content_filter'): Ending {
  return { status: 'incomplete', incomplete_details: { reason } };
}
