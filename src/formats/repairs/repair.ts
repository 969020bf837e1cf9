/**
 * What may be changed in a request that the gateway or the extension has written if a server refuses it. Requests that a
 * caller has written in the server's own format are never repaired.
 */
import { withCallSignature } from '../chatCompletions/callSignatures.ts';
import { isRecord } from '../json.ts';
import { isShortId, shortId } from '../shortIds.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Names of members below messages: they are removed from all of them. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'reasoning_details', 'name']);

/** Names of members that are removed wherever they are. */
const ANYWHERE: ReadonlySet<string> = new Set(['cache_control', 'strict']);

/**
 * Members without which a request still asks the same question. Their loss is named to the caller. Everything else, such
 * as tools or the schema of an answer, is essential: its refusal reaches the caller.
 */
const REMOVABLE: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'seed',
  'stop',
  'stop_sequences',
  'user',
  'metadata',
  'store',
  'service_tier',
  'parallel_tool_calls',
  'reasoning_effort',
  'reasoning',
  'reasoning.effort',
  'reasoning.summary',
  'thinking',
  'output_config.effort',
  'verbosity',
  'text.verbosity',
  'include',
  'truncation',
  'context_management',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'stream_options',
  'max_tool_calls',
  'max_completion_tokens',
  'max_tokens',
  'max_output_tokens',
  'tool_choice.disable_parallel_tool_use',
  'prediction',
  'modalities',
]);

/** The lowest output limit that services of the responses format accept. */
const MIN_OUTPUT_TOKENS = 16;

/** What an upstream that names its reasoning `reasoning` wants in the history, instead of `reasoning_content`. */
export const OTHER_REASONING = 'messages:reasoning';

interface Replacement {
  /** The member that is refused, as in {@link Repaired.member}. */
  readonly member: string;
  /** Recognizes refusals that do not name the member. */
  readonly pattern?: RegExp;
  /** What the caller loses. Undefined if the request still says the same. */
  readonly lost?: string;
  /** @returns undefined if the request has nothing to replace. */
  readonly apply: (body: JsonObject) => JsonObject | undefined;
}

/** Replacements that mean the same, or nearly. They are tried before a member is removed. */
const REPLACEMENTS: readonly Replacement[] = [
  { member: 'max_tokens', apply: (body) => renamed(body, 'max_tokens', 'max_completion_tokens') },
  { member: 'max_completion_tokens', apply: (body) => renamed(body, 'max_completion_tokens', 'max_tokens') },
  {
    // Only values below the minimum are refused.
    member: 'max_output_tokens.minimum',
    lost: 'max_output_tokens',
    pattern: /max_output_tokens\b.{0,200}(?:below|minimum|at least|>=|≥|greater than)/i,
    apply: (body) =>
      typeof body.max_output_tokens === 'number' && body.max_output_tokens < MIN_OUTPUT_TOKENS
        ? { ...body, max_output_tokens: MIN_OUTPUT_TOKENS }
        : undefined,
  },
  {
    member: 'thinking.type.enabled',
    lost: 'thinking',
    apply: (body) => (thinkingType(body) === 'enabled' ? { ...body, thinking: { type: 'adaptive' } } : undefined),
  },
  {
    member: 'thinking.type.disabled',
    lost: 'thinking',
    apply: (body) => (thinkingType(body) === 'disabled' ? without(body, ['thinking']) : undefined),
  },
  {
    member: 'tool_choice',
    lost: 'tool_choice',
    apply: (body) => withFreeChoice(body),
  },
  { member: OTHER_REASONING, apply: (body) => withMessages(body, withOtherReasoning) },
  {
    member: 'role:developer',
    pattern: /role\b[^.]{0,40}\bdeveloper\b|\bdeveloper\b['"`]? (?:is not|role\b)/i,
    apply: (body) => withMessages(body, (each) => (each.role === 'developer' ? { ...each, role: 'system' } : each)),
  },
  {
    member: 'messages:user-after-tool',
    pattern: /unexpected role ['"`]?user['"`]? after role ['"`]?tool\b/i,
    apply: (body) => withAnswersBetween(body),
  },
  {
    member: 'tool_call_id',
    pattern: /tool.?call.?id\b.{0,200}\blength of 9\b/i,
    apply: (body) => withShortCallIds(body),
  },
  {
    member: 'tool_calls.thought_signature',
    pattern: /thought_?signature/i,
    apply: (body) => withMessages(body, withCallSignature),
  },
];

function thinkingType({ thinking }: JsonObject): unknown {
  return isRecord(thinking) ? thinking.type : undefined;
}

export interface Repaired {
  readonly body: JsonObject;
  /** What the caller loses. */
  readonly lost?: string;
}

/** Returns the members that the words of a refusal mean although they do not name them. */
export function membersMeant(text: string, body: JsonObject): readonly string[] {
  return REPLACEMENTS.filter(({ pattern, apply }) => pattern?.test(text) && apply(body)).map(({ member }) => member);
}

/** Returns whether the body has this member and it may be repaired. */
export function isRepairable(body: JsonObject, member: string): boolean {
  return repair(body, member) !== undefined;
}

/**
 * Replaces a refused member, or else removes it.
 * @param member a name or a path with dots, such as `reasoning.summary`.
 * @returns undefined if the body does not have it, or cannot do without it.
 */
export function repair(body: JsonObject, member: string): Repaired | undefined {
  for (const { lost, apply, ...replacement } of REPLACEMENTS) {
    if (replacement.member !== member) continue;
    const replaced = apply(body);
    if (replaced !== undefined) return { body: replaced, ...(lost !== undefined && { lost }) };
  }
  if (!REMOVABLE.has(member) && !OF_MESSAGES.has(member) && !ANYWHERE.has(member)) return undefined;
  const removed = ANYWHERE.has(member)
    ? withoutAnywhere(body, member)
    : (without(body, member.split('.')) ?? (OF_MESSAGES.has(member) ? withoutInMessages(body, member) : undefined));
  return removed === undefined ? undefined : { body: removed, lost: member };
}

/**
 * Repairs all of the members that the body has.
 * @returns the body itself if it has none of them.
 */
export function repairAll(body: JsonObject, members: readonly string[]): { body: JsonObject; lost: readonly string[] } {
  const lost: string[] = [];
  let current = body;
  // A member with another name is not one that was refused.
  const order = members.toSorted((a, b) => Number(b === OTHER_REASONING) - Number(a === OTHER_REASONING));
  for (const member of order) {
    const repaired = isSwapRefused(member, members) ? withoutLimit(current, member) : repair(current, member);
    current = repaired?.body ?? current;
    if (repaired?.lost !== undefined) lost.push(repaired.lost);
  }
  return { body: current, lost };
}

const OUTPUT_LIMITS: readonly string[] = ['max_tokens', 'max_completion_tokens'];

/** Whether both names of the output limit are refused. */
function isSwapRefused(member: string, members: readonly string[]): boolean {
  return OUTPUT_LIMITS.includes(member) && OUTPUT_LIMITS.every((each) => members.includes(each));
}

function withoutLimit(body: JsonObject, member: string): Repaired | undefined {
  const removed = without(body, [member]);
  return removed && { body: removed, lost: member };
}

/** @returns undefined if there is no such member. */
function without(body: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject | undefined {
  if (!Object.hasOwn(body, name)) return undefined;
  const { [name]: value, ...others } = body;
  if (rest.length === 0) return others;
  const inner = isRecord(value) ? without(value, rest) : undefined;
  if (inner === undefined) return undefined;
  return Object.keys(inner).length === 0 ? others : { ...body, [name]: inner };
}

function withoutInMessages(body: JsonObject, name: string): JsonObject | undefined {
  return withMessages(body, (message) => without(message, [name]) ?? message);
}

/** @returns undefined if no message changes. */
function withMessages(body: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject | undefined {
  const { messages } = body;
  if (!Array.isArray(messages)) return undefined;
  const changed = messages.map((message: unknown) => (isRecord(message) ? change(message) : message));
  return changed.every((message, at) => message === messages[at]) ? undefined : { ...body, messages: changed };
}

/** Schemas may have properties of any name, so they are not searched. */
const SCHEMAS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'schema', 'input', 'arguments']);

function withoutAnywhere(body: JsonObject, name: string): JsonObject | undefined {
  let isChanged = false;
  const search = (value: unknown, isTop: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown) => search(each, false));
    if (!isRecord(value)) return value;
    if (Object.hasOwn(value, name)) isChanged = true;
    const kept = Object.entries(value).filter(([each]) => each !== name);
    return Object.fromEntries(
      kept.map(([each, inner]) => [each, SCHEMAS.has(each) && !isTop ? inner : search(inner, false)]),
    );
  };
  const searched = search(body, true);
  return isChanged && isRecord(searched) ? searched : undefined;
}

function renamed(body: JsonObject, from: string, to: string): JsonObject | undefined {
  if (!Object.hasOwn(body, from) || Object.hasOwn(body, to)) return undefined;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name === from ? to : name, value]));
}

function withOtherReasoning(message: JsonObject): JsonObject {
  return Object.hasOwn(message, 'reasoning')
    ? message
    : (renamed(message, 'reasoning_content', 'reasoning') ?? message);
}

/** A forced choice becomes a free one in the same format. */
function withFreeChoice(body: JsonObject): JsonObject | undefined {
  const { tool_choice: choice } = body;
  if (choice === undefined || choice === 'auto' || choice === 'none') return undefined;
  if (!isRecord(choice)) return { ...body, tool_choice: 'auto' };
  const { type, disable_parallel_tool_use: isSerial } = choice;
  if (type === 'auto' || type === 'none') return undefined;
  // Only the messages format has these types of forced choices.
  if (type !== 'any' && type !== 'tool') return { ...body, tool_choice: 'auto' };
  const rest = isSerial === undefined ? {} : { disable_parallel_tool_use: isSerial };
  return { ...body, tool_choice: { type: 'auto', ...rest } };
}

/** Some services want an answer between results of tools and the user's next message. */
function withAnswersBetween(body: JsonObject): JsonObject | undefined {
  const { messages } = body;
  if (!Array.isArray(messages)) return undefined;
  const roleAt = (at: number): unknown => (isRecord(messages[at]) ? messages[at].role : undefined);
  const changed = messages.flatMap((message: unknown, at) =>
    roleAt(at) === 'user' && roleAt(at - 1) === 'tool' ? [{ role: 'assistant', content: 'OK.' }, message] : [message],
  );
  return changed.length === messages.length ? undefined : { ...body, messages: changed };
}

function withShortCallIds(body: JsonObject): JsonObject | undefined {
  return withMessages(body, (message) => {
    const { tool_calls: calls, tool_call_id: id } = message;
    const isResult = typeof id === 'string' && !isShortId(id);
    const hasCalls = Array.isArray(calls) && calls.some((call) => isRecord(call) && !isShortId(String(call.id)));
    if (!isResult && !hasCalls) return message;
    return {
      ...message,
      ...(isResult && { tool_call_id: shortId(id) }),
      ...(hasCalls && {
        tool_calls: calls.map((call) => (isRecord(call) ? { ...call, id: shortId(String(call.id)) } : call)),
      }),
    };
  });
}
