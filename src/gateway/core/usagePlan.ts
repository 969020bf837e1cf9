import type { Usage } from '../../formats/usage.ts';

/** Kinds of tokens with separate prices, and web searches. */
export type UsageParts = Omit<Usage, 'inputTokens' | 'outputTokens' | 'reportedCost' | 'hasUnlistedPrice'>;

/** The maximum usage of a request. Calculated if the local key or the service key has a limit. */
export interface UsagePlan {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  /** How much of it may be of more expensive kinds: cache writes, audio, images, reasoning, and web searches. */
  readonly parts?: UsageParts;
  /** The model whose prices apply, if another model than the requested one may answer. */
  readonly pricedModel?: string;
  /**
   * Set if all of the prompt is text in the body, so that its tokens can be counted: how many the vendor may add to them.
   */
  readonly text?: { readonly addedTokens: number };
  /**
   * Set if the same is true until a search of the service adds its results, which the stream would show: how many tokens
   * the vendor may add.
   */
  readonly textUntilSearch?: { readonly addedTokens: number };
  /** How many answers the request asks for, if there are several. A model writes them at the same time. */
  readonly answers?: number;
  /** True if the model has no hidden reasoning, so that it writes nothing but what the answer shows. */
  readonly showsAll?: true;
  /** How fast the models of each upstream write at most, in tokens per second, where its operator has set it. */
  readonly maxSpeeds?: ReadonlyMap<string, number>;
  /** True if the prompt may grow during the answer, so that the usage reported at first is incomplete. */
  readonly mayGrow?: true;
  /** Set if the answer shows how often the service calls its model. */
  readonly turns?: ShownTurns;
}

/**
 * A tool of the service makes it call its model again, with the whole prompt and the tool's results. A stream shows the
 * calls, so that the plan only needs to include the next turn.
 */
export interface ShownTurns {
  /** The maximum number of input tokens of one further turn. */
  readonly inputTokens: number;
  /**
   * The limit of calls that the gateway has added to the request. The plan covers it, so that only an upstream that
   * exceeds it is followed.
   */
  readonly addedLimit?: number;
}

/** The number of turns that a plan for a stream must have in addition after this many calls were seen. */
export function turnsAfter(calls: number, { addedLimit }: ShownTurns): number {
  if (addedLimit === undefined) return calls;
  // The one after the last call, and one that may begin before its call is seen.
  return calls > addedLimit ? calls - addedLimit + 1 : 0;
}

/** Returns the usage of further turns, in addition to a plan. */
export function furtherTurns<Plan extends UsagePlan>(plan: Plan, turns: number): Plan {
  const inputTokens = turns * (plan.turns?.inputTokens ?? 0);
  const {
    reasoningTokens: _,
    audioOutputTokens: __,
    imageOutputTokens: ___,
    webSearches: ____,
    ...inputParts
  } = plan.parts ?? {};
  return { ...plan, inputTokens, maxOutputTokens: 0, parts: scaled(inputParts, inputTokens / plan.inputTokens) };
}

/** Returns the plan with further turns, or with fewer if the number is negative. */
export function withTurns(plan: UsagePlan, turns: number): UsagePlan {
  const more = furtherTurns(plan, turns);
  return {
    ...plan,
    inputTokens: plan.inputTokens + more.inputTokens,
    ...(plan.parts !== undefined && { parts: sum(plan.parts, more.parts ?? {}) }),
  };
}

type PlannedPart = keyof UsageParts;

function scaled(parts: UsageParts, factor: number): UsageParts {
  return Object.fromEntries(Object.entries(parts).map(([name, count]) => [name, Math.round(count * factor)]));
}

function sum(one: UsageParts, other: UsageParts): UsageParts {
  const names = Object.keys(one) as PlannedPart[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
