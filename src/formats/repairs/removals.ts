/**
 * Members without which a request still asks the same question. Everything else, such as messages and tools, is
 * essential.
 */
import { isRecord, type JsonRecord } from '../json.ts';
import { type Simplification, type Weight, withMessages, without } from './simplification.ts';

/** The answer does not depend on them. */
const EXTRAS = [
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
  'metadata',
  'user',
  'safety_identifier',
  'store',
  'include',
  'truncation',
  'context_management',
  'parallel_tool_calls',
  'tool_choice.disable_parallel_tool_use',
  'verbosity',
  'text.verbosity',
  'modalities',
  'prediction',
  'max_tool_calls',
] as const;

/** The caller can change a value that is refused, because every server accepts some. */
const SAMPLING = [
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
] as const;

export const CALLER_VALUES: ReadonlySet<string> = new Set(SAMPLING);

const OTHERS = [
  'stream_options',
  'reasoning_effort',
  'reasoning',
  'reasoning.effort',
  'reasoning.summary',
  'thinking',
  'output_config.effort',
  ...SAMPLING,
] as const;

/** Members below messages: they are removed from all of them. */
const OF_MESSAGES = ['reasoning_content', 'reasoning', 'reasoning_details', 'name'] as const;

/** Members that are removed wherever they are. */
const ANYWHERE = ['cache_control', 'strict'] as const;

function removal(name: string, weight: Weight): Simplification {
  return { name, weight, lost: name, apply: (body) => without(body, name.split('.')) };
}

/** Some names are those of members of the request, too, which are refused more often. */
function ofMessages(name: (typeof OF_MESSAGES)[number]): Simplification {
  const removed = (body: JsonRecord) => withMessages(body, (message) => without(message, [name]) ?? message);
  return { name, weight: 'rest', isDeep: true, lost: name, apply: removed };
}

export const REMOVALS: readonly Simplification[] = [
  ...ANYWHERE.map((name): Simplification => {
    return { name, weight: 'extra', isDeep: true, lost: name, apply: (body) => withoutAnywhere(body, name) };
  }),
  ...EXTRAS.map((name) => removal(name, 'extra')),
  ...OTHERS.map((name) => removal(name, 'rest')),
  ...OF_MESSAGES.map(ofMessages),
];

/** Schemas may have properties of any name, so they are not searched. */
const SCHEMAS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'schema', 'input', 'arguments']);

function withoutAnywhere(body: JsonRecord, name: string): JsonRecord | undefined {
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
