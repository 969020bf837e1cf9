/**
 * All names that telemetry uses. Those that start with `gen_ai` follow OpenTelemetry's semantic conventions for
 * generative AI. These are still in development, and changes to them are adopted here.
 */

export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  conversation: 'gen_ai.conversation.id',
  tokenType: 'gen_ai.token.type',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  errorType: 'error.type',
  status: 'http.response.status_code',
  localKey: 'model_access.local_key.id',
  callerFormat: 'model_access.caller_format',
  upstreamFormat: 'model_access.upstream_format',
  cost: 'model_access.cost',
  isEstimated: 'model_access.usage.estimated',
  secrets: 'model_access.secrets',
  end: 'model_access.end',
  overflow: 'otel.metric.overflow',
} as const;

export type AttributeName = (typeof ATTRIBUTE)[keyof typeof ATTRIBUTE];

/** The operation, in terms of the conventions, of all the gateway's endpoints for answers. */
export const CHAT = 'chat';

export interface MetricDefinition {
  readonly name: string;
  /** In UCUM notation, as OTLP requires. */
  readonly unit: string;
  /** Appended to the name in Prometheus, whose conventions require the unit. */
  readonly suffix: string;
  readonly kind: 'histogram' | 'counter' | 'gauge';
  readonly description: string;
  /** Upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
}

const DURATIONS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_TOKENS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

export const METRICS = {
  operationDuration: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    suffix: '_seconds',
    kind: 'histogram',
    description: 'Time from the request to the upstream to the end of the answer.',
    bounds: DURATIONS,
  },
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    suffix: '',
    kind: 'histogram',
    description: 'Input and output tokens of a request.',
    bounds: TOKENS,
  },
  firstToken: {
    name: 'gen_ai.server.time_to_first_token',
    unit: 's',
    suffix: '_seconds',
    kind: 'histogram',
    description: 'Time from the arrival of the request to the first byte of the answer.',
    bounds: FIRST_TOKENS,
  },
  requestDuration: {
    name: 'gen_ai.server.request.duration',
    unit: 's',
    suffix: '_seconds',
    kind: 'histogram',
    description: 'Time from the arrival of the request to the end of the answer.',
    bounds: DURATIONS,
  },
  cost: {
    name: 'model_access.cost',
    unit: 'USD',
    suffix: '_usd_total',
    kind: 'counter',
    description: 'Cost of requests in US dollars, by the catalogs of the upstreams.',
  },
  requests: {
    name: 'model_access.requests',
    unit: '{request}',
    suffix: '_total',
    kind: 'counter',
    description: 'Requests by how they ended.',
  },
  active: {
    name: 'model_access.requests.active',
    unit: '{request}',
    suffix: '',
    kind: 'gauge',
    description: 'Requests in progress, including those that wait in a queue.',
  },
  queued: {
    name: 'model_access.requests.queued',
    unit: '{request}',
    suffix: '',
    kind: 'gauge',
    description: 'Requests that wait for a limit of their key.',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricId = keyof typeof METRICS;
