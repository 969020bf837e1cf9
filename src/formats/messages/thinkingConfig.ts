/** Whether and how a request asks for thinking, which excludes other members in this format. */
import type { AssistantMessage, ChatRequest } from '../conversation.ts';
import { inOrder } from '../orderedTurns.ts';
import { TURNS } from './prompt.ts';
import type { CountTokensRequest } from './schema.ts';
import { encodeOwnThinking } from './thinking.ts';

/** The format requires a limit. This default is enough for long answers and within the models' limits. */
export const DEFAULT_MAX_TOKENS = 32_000;

/** The smallest budget that services of this format accept, in tokens. */
const MIN_BUDGET = 1024;

/** Whether a request asks for thinking, and the format allows it beside what else it asks for. */
export function hasThinking(request: ChatRequest): boolean {
  return asksThinking(request) && thinkingFits(request);
}

export function asksThinking({ reasoning }: ChatRequest): boolean {
  if (reasoning === undefined || reasoning.effort === 'none') return false;
  return reasoning.budgetTokens !== undefined || reasoning.adaptive === true;
}

/** A forced tool, a low limit, and calls without signed thinking before them exclude it. */
function thinkingFits(request: ChatRequest): boolean {
  const { toolChoice } = request;
  const mode = toolChoice?.type === 'allowed' ? toolChoice.mode : toolChoice?.type;
  const isTooLow = request.reasoning?.budgetTokens !== undefined && outputLimit(request) <= MIN_BUDGET;
  if (mode === 'required' || mode === 'tool' || isTooLow) return false;
  const messages = inOrder(request.messages, TURNS);
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const last = messages.findLast(({ role }) => role === 'assistant');
  return ![...turn, last].some((message) => message?.role === 'assistant' && hasUnsignedCalls(message));
}

function hasUnsignedCalls({ parts }: AssistantMessage): boolean {
  const first = parts.findIndex(({ type }) => type === 'toolCall');
  const before = parts.slice(0, Math.max(0, first));
  return first >= 0 && !before.some((part) => part.type === 'reasoning' && encodeOwnThinking(part).length > 0);
}

export function encodeThinkingConfig(request: ChatRequest): CountTokensRequest['thinking'] {
  const { reasoning } = request;
  if (reasoning?.effort === 'none') return { type: 'disabled' };
  if (!hasThinking(request)) return undefined;
  const display = reasoning?.summary === undefined ? {} : { display: 'summarized' };
  if (reasoning?.budgetTokens === undefined) return { type: 'adaptive', ...display };
  return { type: 'enabled', budget_tokens: thinkingBudget(request) ?? MIN_BUDGET, ...display };
}

/** The budget must be below the limit, which includes it, and the answer needs some of the limit. */
export function thinkingBudget(request: ChatRequest): number | undefined {
  const budget = request.reasoning?.budgetTokens;
  if (budget === undefined) return undefined;
  const limit = outputLimit(request);
  return Math.max(MIN_BUDGET, Math.floor(budget < limit ? budget : limit / 2));
}

export function outputLimit({ maxTokens, reasoning }: ChatRequest): number {
  return maxTokens ?? DEFAULT_MAX_TOKENS + (reasoning?.budgetTokens ?? 0);
}
