/** Checks that prevent sending the message, or that warn before it is sent. */
import type { ChatState, ModelView } from '../../../pages/chat/protocol.ts';
import { openComparison } from '../turns.ts';
import { cannotFit, contextWindowOf, tokensOver } from './contextWindow.ts';
import { costWith } from './requestCost.ts';

/** The possible error of a local estimate, as a share. A request that exceeds the balance by less can still be sent. */
const DOUBT = 0.1;

/** The amount by which a request exceeds the balance, in US dollars. */
export interface Shortfall {
  /** The expected cost. Undefined if no price is known. */
  readonly needed?: number;
  readonly left: number;
  /** True if the balance does not even cover the input. */
  readonly isCertain: boolean;
}

/** @returns undefined if the balance covers the request, or if this is unknown. */
export function shortfall({ estimate, balance }: ChatState): Shortfall | undefined {
  const { inputTokens, inputCost = 0, estimated } = estimate;
  const needed = estimate.expectedCost ?? estimate.inputCost;
  const left = balance.remaining ?? (balance.state === 'exhausted' ? 0 : undefined);
  if (inputTokens === undefined || left === undefined) return undefined;
  const isCertain = balance.state === 'exhausted' || inputCost > left * (estimated === true ? 1 + DOUBT : 1);
  if (!isCertain && (needed === undefined || needed <= left)) return undefined;
  return { left, isCertain, ...(needed !== undefined && { needed }) };
}

/** Whether the last answer failed because of missing credit, so that its card already shows that. */
export function isShownInThread({ turns }: ChatState): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && last.failure?.kind === 'credit';
}

/** The limit that a request exceeds. */
export type Obstacle = 'window' | 'balance';

/** Returns the limit that the request exceeds, so that it cannot be sent. */
export function obstacle(state: ChatState): Obstacle | undefined {
  if (cannotFit(state.estimate, contextWindowOf(state))) return 'window';
  if (state.balance.state === 'exhausted') return 'balance';
  return shortfall(state)?.isCertain === true ? 'balance' : undefined;
}

/** Whether there is something to send and nothing prevents sending it. The caller checks for an answer in progress. */
export function canBeSent(state: ChatState | undefined, draft: string): boolean {
  if (state === undefined || state.connection === 'none') return false;
  if (draft.trim() === '' && state.attachments.length === 0) return false;
  return openComparison(state).length === 0 && obstacle(state) === undefined;
}

/** Returns the most expensive model that the balance covers and the request fits. */
export function affordableModel(state: ChatState): ModelView | undefined {
  const { catalog, model: inUse, estimate, balance } = state;
  const left = balance.remaining ?? 0;
  const cost = (model: ModelView) => costWith(model, estimate) ?? Number.POSITIVE_INFINITY;
  return catalog.models
    .filter((model) => model.id !== inUse && cost(model) <= left && tokensOver(estimate, model.contextWindow) === 0)
    .filter((model) => !hasImages(state) || model.images !== false)
    .sort((a, b) => cost(b) - cost(a))[0];
}

/** Whether images, new or earlier ones, would be sent to a model that does not accept them. */
export function blindToImages(state: ChatState): boolean {
  const model = state.catalog.models.find(({ id }) => id === state.model);
  return model?.images === false && hasImages(state);
}

/** Whether the agent is to act with a model that has no tools. */
export function cannotAct({ mode, canAct, catalog, model }: ChatState): boolean {
  return mode !== 'ask' && canAct && catalog.models.find(({ id }) => id === model)?.tools === false;
}

/** Returns another model that accepts images and fits the request, preferably of the same family. */
export function seeingModel({ catalog, model: inUse, estimate }: ChatState): ModelView | undefined {
  const family = catalog.models.find(({ id }) => id === inUse)?.family;
  const seeing = catalog.models.filter(
    (model) => model.images === true && tokensOver(estimate, model.contextWindow) === 0,
  );
  return seeing.find((model) => model.family === family) ?? seeing[0];
}

function hasImages({ attachments, turns }: ChatState): boolean {
  const earlier = turns.flatMap((turn) => (turn.role === 'user' ? turn.attachments : []));
  return [...attachments, ...earlier].some(({ kind }) => kind === 'image');
}
