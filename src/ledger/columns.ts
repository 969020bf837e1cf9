/**
 * The columns by what they say. A group that says nothing about a request costs no call: its values are a list of NULLs.
 */
export const FACTS = [
  'id',
  'at',
  'source',
  'local_key_id',
  'client',
  'endpoint',
  'caller_format',
  'upstream_format',
  'model',
  'upstream',
  'ended',
  'usage_is_estimated',
  'usage_bound',
  'cost',
  'unconfirmed_cost',
  'status',
  'first_byte_ms',
  'duration_ms',
  'queue_ms',
] as const;
export const USAGE = ['input_tokens', 'output_tokens', 'input_price', 'output_price', 'cached_input_price'] as const;
export const USAGE_DETAILS = [
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'long_cache_write_tokens',
  'audio_input_tokens',
  'image_input_tokens',
  'audio_output_tokens',
  'image_output_tokens',
  'web_searches',
  'reported_cost',
] as const;
export const PRICE_DETAILS = [
  'cache_write_price',
  'long_cache_write_price',
  'audio_input_price',
  'image_input_price',
  'audio_output_price',
  'image_output_price',
  'web_search_price',
  'reasoning_price',
  'request_price',
  'assumed_prices',
  'cache_saving',
] as const;
export const SESSION = ['session_id', 'agent_id', 'turn_id', 'agent_type', 'tool_ms'] as const;
export const CHAT = ['conversation_id', 'step', 'repository', 'branch'] as const;
export const FINDINGS = [
  'cache_miss_reason',
  'cache_missed_tokens',
  'cache_miss_cost',
  'upstream_miss_reason',
  'secrets',
  'sealed_secrets',
  'estimate_error',
  'estimate_reports',
  'output_limit',
] as const;
export const ROUTE = [
  'answered_model',
  'route',
  'route_rule',
  'route_when',
  'attempts',
  'attempts_cost',
  'attempts_input_tokens',
  'attempts_output_tokens',
] as const;

/** The columns in which most rows have values. */
export const PLAIN_NAMES: readonly string[] = [...FACTS, ...USAGE, ...SESSION];

export const COLUMN_NAMES: readonly string[] = [
  ...PLAIN_NAMES,
  ...USAGE_DETAILS,
  ...PRICE_DETAILS,
  ...CHAT,
  ...FINDINGS,
  ...ROUTE,
  // Known last; see `withContext`.
  'context',
];
