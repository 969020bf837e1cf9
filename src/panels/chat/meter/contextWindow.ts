/** Whether a request fits into the model's context window, and what to do if it does not. */
import type { AttachmentView, ChatState, EstimateView, ModelView } from '../../../pages/chat/protocol.ts';

/** The possible error of a local estimate, as a share. A request that exceeds the window by less can still be sent. */
const DOUBT = 0.1;

/** @returns tokens, or undefined if the catalog has no context window. */
export function contextWindowOf(state: ChatState): number | undefined {
  return state.catalog.models.find(({ id }) => id === state.model)?.contextWindow;
}

/** Returns by how many tokens the request exceeds the window; 0 if it fits or if this is unknown. */
export function tokensOver(estimate: EstimateView, contextWindow: number | undefined): number {
  if (contextWindow === undefined || estimate.inputTokens === undefined) return 0;
  return Math.max(0, estimate.inputTokens - contextWindow);
}

/** Whether the request is too large even if the estimate is off by its possible error. */
export function cannotFit(estimate: EstimateView, contextWindow: number | undefined): boolean {
  const over = tokensOver(estimate, contextWindow);
  return over > (estimate.estimated === true ? (contextWindow ?? 0) * DOUBT : 0);
}

/** The largest part of a request. */
export type LargestPart =
  | { readonly kind: 'attachment'; readonly attachment: AttachmentView; readonly tokens: number }
  | { readonly kind: 'history' | 'message'; readonly tokens: number };

export function largestPart(state: ChatState): LargestPart {
  const parts: LargestPart[] = [
    { kind: 'message', tokens: state.estimate.messageTokens ?? 0 },
    { kind: 'history', tokens: state.estimate.historyTokens ?? 0 },
    ...state.attachments.map(
      (attachment): LargestPart => ({ kind: 'attachment', attachment, tokens: attachment.tokens ?? 0 }),
    ),
  ];
  return parts.reduce((largest, part) => (part.tokens > largest.tokens ? part : largest));
}

/** Returns the other model with the smallest context window that fits the request. */
export function largerModel(state: ChatState): ModelView | undefined {
  const needed = state.estimate.inputTokens ?? 0;
  return state.catalog.models
    .filter(({ id, contextWindow = 0 }) => id !== state.model && contextWindow > needed)
    .sort((a, b) => (a.contextWindow ?? 0) - (b.contextWindow ?? 0) || (a.inputPrice ?? 0) - (b.inputPrice ?? 0))[0];
}
