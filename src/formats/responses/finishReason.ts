import type { AssistantPart, FinishReason } from '../conversation.ts';
import type { StreamedResponse } from './schema.ts';

type PartType = AssistantPart['type'];

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
