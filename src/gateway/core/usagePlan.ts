import type { Usage } from '../../formats/conversation.ts';

/** Kinds of tokens with prices of their own, and searches. */
export type UsageParts = Omit<Usage, 'inputTokens' | 'outputTokens'>;

/** The most that a request can use, where it was sized up because its key or the service's key has a limit. */
export interface UsagePlan {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  /** What of it may be of a kind that costs more: written to a cache, audio, images; and searches of the web. */
  readonly parts?: UsageParts;
  /** By whose prices, where another model than asked for may answer. */
  readonly pricedModel?: string;
  /** True when the prompt may grow while it is answered, so that what is told of it at first is not all. */
  readonly mayGrow?: true;
  /** Where the answer shows how often the service asks its model. */
  readonly turns?: ShownTurns;
}

/**
 * A tool of the service makes it ask its model again, with all of the prompt and what the tool has found. A stream shows
 * the calls, so that only the next turn has to be in the plan.
 */
export interface ShownTurns {
  /** The most that one more of them reads. */
  readonly inputTokens: number;
  /** How many more there may be than in the plan, for an answer that does not show them. */
  readonly further: number;
}

/** What some more turns may use, beyond a plan. */
export function furtherTurns<Plan extends UsagePlan>(plan: Plan, turns: number): Plan {
  const inputTokens = turns * (plan.turns?.inputTokens ?? 0);
  const { audioOutputTokens: _, imageOutputTokens: __, webSearches: ___, ...inputParts } = plan.parts ?? {};
  return { ...plan, inputTokens, maxOutputTokens: 0, parts: scaled(inputParts, inputTokens / plan.inputTokens) };
}

/** The plan with some more turns, or fewer where the number is negative. */
export function withTurns(plan: UsagePlan, turns: number): UsagePlan {
  const more = furtherTurns(plan, turns);
  return {
    ...plan,
    inputTokens: plan.inputTokens + more.inputTokens,
    ...(plan.parts !== undefined && { parts: sum(plan.parts, more.parts ?? {}) }),
  };
}

type Part = keyof UsageParts;

function scaled(parts: UsageParts, factor: number): UsageParts {
  return Object.fromEntries(Object.entries(parts).map(([name, count]) => [name, Math.round(count * factor)]));
}

function sum(one: UsageParts, other: UsageParts): UsageParts {
  const names = Object.keys(one) as Part[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
