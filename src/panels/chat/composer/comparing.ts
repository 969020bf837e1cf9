/** Selects several models for one question. */
import type { ChatState, EstimateView, ModelView } from '../../../pages/chat/protocol.ts';
import { costWith } from '../meter/requestCost.ts';

export const MAX_COMPARED = 3;

/** Returns the selected models after one was toggled. A fourth one is not selected. */
export function toggled(chosen: readonly string[], id: string): readonly string[] {
  if (chosen.includes(id)) return chosen.filter((other) => other !== id);
  return chosen.length < MAX_COMPARED ? [...chosen, id] : chosen;
}

/** Returns the state with an estimate for all of these models together. */
export function withCompared(state: ChatState, chosen: readonly string[]): ChatState {
  if (chosen.length < 2) return state;
  const models = chosen.flatMap((id) => state.catalog.models.find((model) => model.id === id) ?? []);
  return { ...state, estimate: estimateOf(state, models, chosen.length) };
}

function estimateOf({ estimate, balance }: ChatState, models: readonly ModelView[], count: number): EstimateView {
  const { expectedCost, inputCost, maxCost: _, balanceAfter: __, ...rest } = estimate;
  const costs = models.map((model) => costWith(model, estimate));
  const isKnown = costs.length === count && costs.every((cost) => cost !== undefined);
  if (!isKnown) return rest;
  const cost = costs.reduce((sum, one) => sum + (one ?? 0), 0);
  return {
    ...rest,
    ...(expectedCost === undefined && inputCost !== undefined ? { inputCost: cost } : { expectedCost: cost }),
    ...(balance.remaining !== undefined && { balanceAfter: Math.max(0, balance.remaining - cost) }),
  };
}
