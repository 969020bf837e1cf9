/** Lower output limits for requests whose budget does not cover the longest answer. */
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord } from '../../formats/json.ts';
import { ALL_OUTPUT_LIMITS, type AskedRequest } from './askedRequest.ts';
import { maxOf, type PlannedRequest, type Room } from './budgets.ts';
import { bytesWithNumber } from './modelTurns.ts';

/** A shorter limit than this is only set if the budget does not cover it, in tokens. */
export const USEFUL_TOKENS = 1_024;
/** If a budget pays for less, the request is refused. In tokens. */
export const MIN_TOKENS = 256;

/**
 * The names of the member that limits the output of a request that has no limit. Older servers know only the first one,
 * and some newer models refuse it. Messages always have a limit.
 */
const MEMBERS: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': ['max_tokens', 'max_completion_tokens'],
  messages: [],
  responses: ['max_output_tokens'],
};

/** Whether the request itself limits its output, by a name of any format. */
export function limitsOutput({ body }: Pick<AskedRequest, 'body'>): boolean {
  return ALL_OUTPUT_LIMITS.some((name) => typeof body[name] === 'number');
}

/**
 * Returns the output limit for one answer: what half of the room covers, so that parallel requests have room as well; but
 * 1,024 tokens if all of the room covers them, or what it covers.
 * @param answers the number of answers that the request asks for.
 * @returns undefined if that is less than 256 tokens, or no lower limit than the request has.
 */
export function affordableOutput(plan: PlannedRequest, { unit, free }: Room, answers: number): number | undefined {
  const amountOf = (tokens: number) => maxOf(withOutput(plan, tokens))[unit === 'usd' ? 'cost' : 'tokens'] ?? 0;
  const ofInput = amountOf(0);
  const perToken = (amountOf(plan.maxOutputTokens) - ofInput) / plan.maxOutputTokens;
  const covered = (amount: number) => Math.floor((amount - ofInput) / perToken / answers);
  const limit = Math.max(covered(free / 2), Math.min(USEFUL_TOKENS, covered(free)));
  return limit >= MIN_TOKENS && limit < plan.maxOutputTokens / answers ? limit : undefined;
}

/** The same plan with another maximum of output tokens, of which those with their own prices are a part. */
function withOutput(plan: PlannedRequest, tokens: number): PlannedRequest {
  const { reasoningTokens, audioOutputTokens, imageOutputTokens, ...parts } = plan.parts ?? {};
  const kinds = { reasoningTokens, audioOutputTokens, imageOutputTokens };
  const all = Object.entries(kinds).map(([name, count]) => [name, count && tokens] as const);
  const defined = Object.fromEntries(all.filter(([, count]) => count !== undefined));
  return { ...plan, maxOutputTokens: tokens, parts: { ...parts, ...defined } };
}

export interface OutputLimit {
  readonly tokens: number;
  /** The members of the request that have it. */
  readonly members: Readonly<Record<string, number>>;
  /** Those for upstreams that refuse the name that the gateway has chosen. Undefined if the caller has chosen it. */
  readonly otherMembers?: Readonly<Record<string, number>>;
}

/** Returns the limit as the request can have it. Undefined if it must not have such a limit. */
export function outputLimitOf({ body }: AskedRequest, format: FormatName, tokens: number): OutputLimit | undefined {
  const { thinking } = body;
  // The messages format demands that the thinking is shorter than the output.
  if (isRecord(thinking) && typeof thinking.budget_tokens === 'number' && thinking.budget_tokens >= tokens)
    return undefined;
  const limited = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, tokens]));
  if (limitsOutput({ body })) {
    const named = ALL_OUTPUT_LIMITS.filter((name) => Number(body[name] ?? 0) > tokens);
    return named.length === 0 ? undefined : { tokens, members: limited(named) };
  }
  const [name, ...others] = MEMBERS[format];
  if (name === undefined) return undefined;
  return { tokens, members: limited([name]), ...(others.length > 0 && { otherMembers: limited(others) }) };
}

export function withOutputLimit(asked: AskedRequest, { members }: OutputLimit): AskedRequest {
  return { ...asked, body: { ...asked.body, ...members } };
}

/** Sets these members in the bytes of the request, leaving all others unchanged. */
export function bytesWithMembers(body: Buffer, members: Readonly<Record<string, number>>): Buffer {
  return Object.entries(members).reduce((bytes, [name, value]) => bytesWithNumber(bytes, name, value), body);
}
