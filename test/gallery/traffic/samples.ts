/** Exchanges of a sample day with several tools. */
import type { CostLine, TrafficDetails, TrafficRow, ViewContext } from '../../../src/pages/traffic/protocol.ts';

/** 21 November 2026, 14:32 in the local time zone. */
export const NOW = new Date(2026, 10, 21, 14, 32).getTime();

const KEYS = { agent: 'Terminal agent', commit: 'Commit helper', review: 'Review script', notebook: 'Notebook' };

export const SURROUNDINGS: ViewContext = {
  models: ['familya-haiku-4.5', 'familya-opus-4.6', 'familya-sonnet-4.6', 'familyb-3.1-pro'],
  clients: ['aider', 'claude-cli', 'openai-python'],
  keyNames: KEYS,
  gateway: 'running',
  address: 'http://127.0.0.1:8787/api/v1',
  capturesBodies: true,
  isTrusted: true,
};

const MISSED: Partial<TrafficRow> = {
  sessionId: '4f1c09ae77d2b603',
  turnId: '90ab12cd34ef5678',
  cacheMiss: { reason: 'tools_changed', missedTokens: 41_000, cost: 0.31 },
  upstreamMissReason: 'tools_changed',
};

const WITH_SECRETS: Partial<TrafficRow> = { secrets: ['database-connection-string', 'github'] };

type Sample = readonly [
  secondsAgo: number,
  tool: keyof typeof KEYS | 'chat',
  model: string,
  tokens: readonly [input: number, output: number] | undefined,
  cost: number | undefined,
  times: readonly [firstByteMs: number, durationMs: number],
  more?: Partial<TrafficRow>,
];

const SAMPLES: readonly Sample[] = [
  [2, 'chat', 'familya-sonnet-4.6', [4_100, 702], 0.0228, [900, 9_400]],
  [20, 'commit', 'familya-haiku-4.5', [1_100, 42], 0.0013, [400, 1_200]],
  [38, 'agent', 'familya-opus-4.6', [12_400, 918], 0.0409, [1_104, 9_118]],
  [55, 'review', 'familyc-5.4', undefined, undefined, [78, 80], { status: 402, end: 'budget' }],
  [73, 'notebook', 'familyb-3.1-pro', [2_900, 640], 0.0135, [1_700, 6_300]],
  [89, 'agent', 'familya-opus-4.6', [11_800, 402], 0.0415, [1_200, 4_800]],
  [122, 'notebook', 'familyb-3-pro-preview', [6_200, 1_100], 0.0256, [5_900, 13_600]],
  [139, 'chat', 'familya-sonnet-4.6', [2_400, 318], 0.0121, [800, 5_900]],
  [165, 'agent', 'familya-opus-4.6', [55_600, 2_200], 0.405, [300, 1_100], MISSED],
  [190, 'chat', 'familyc-5.3-codex', [3_000, 96], 0.0066, [700, 2_400], { end: 'clientLeft' }],
  [208, 'agent', 'familyd-code-fast-1', [8_000, 1_400], 0.0037, [300, 7_200], WITH_SECRETS],
  [236, 'agent', 'familya-opus-4.6', [10_900, 511], 0.0442, [1_300, 5_600], { usageIsEstimated: true }],
  [254, 'notebook', 'local-llama', [1_600, 220], undefined, [500, 1_900]],
  [280, 'review', 'familya-sonnet-4.6', undefined, undefined, [30_000, 30_100], { status: 502, end: 'upstreamFailed' }],
];

function rowOf([ago, tool, model, tokens, cost, [firstByteMs, durationMs], more]: Sample, nth: number): TrafficRow {
  return {
    number: 1_000 - nth,
    id: `req_sample${nth}`,
    at: NOW - ago * 1_000,
    source: tool === 'chat' ? 'chatPanel' : 'gateway',
    ...(tool !== 'chat' && { localKeyId: tool, client: 'claude-cli' }),
    endpoint: '/messages',
    callerFormat: 'messages',
    upstreamFormat: 'messages',
    model,
    upstream: 'hosted',
    status: 200,
    queueMs: firstByteMs * 0.2,
    firstByteMs,
    durationMs,
    ...(tokens && { usage: { inputTokens: tokens[0], outputTokens: tokens[1] } }),
    ...(cost !== undefined && { cost }),
    end: 'completed',
    ...more,
  };
}

const OPUS = { input: 5, cachedInput: 0.5, cacheWrite: 6.25, longCacheWrite: 10, output: 25 } as const;

/** Returns the lines of a bill with the prices above. */
function billOf(amounts: Partial<Record<keyof typeof OPUS, number>>, isAssumed = false): readonly CostLine[] {
  return Object.entries(amounts).map(([name, amount]) => {
    const kind = name as keyof typeof OPUS;
    const price = OPUS[kind];
    const isDerived = kind === 'cacheWrite' || kind === 'longCacheWrite';
    return { kind, amount, price, isAssumed: isAssumed && isDerived, cost: (amount * price) / 1e6 };
  });
}

function attempt(upstream: string, model: string, ago: number, [fromMs, durationMs]: readonly [number, number]) {
  return { upstream, model, at: NOW - ago * 1_000 + fromMs, durationMs };
}

/** The rows whose details the gallery shows, by ID. */
const DETAILED: Readonly<Record<string, Partial<TrafficRow>>> = {
  req_sample2: {
    usage: { inputTokens: 12_400, outputTokens: 918, cachedInputTokens: 9_800, reasoningTokens: 412 },
    bill: billOf({ input: 2_600, cachedInput: 9_800, output: 918 }),
    cost: 0.04085,
  },
  req_sample5: {
    usage: {
      inputTokens: 55_740,
      outputTokens: 2_190,
      cachedInputTokens: 12_416,
      cacheWriteTokens: 43_110,
      longCacheWriteTokens: 19_481,
      reasoningTokens: 1_284,
    },
    bill: billOf({ input: 214, cachedInput: 12_416, cacheWrite: 23_629, longCacheWrite: 19_481, output: 2_190 }, true),
    cost: 0.404519,
  },
  req_sample6: {
    usage: { inputTokens: 6_200, outputTokens: 1_100 },
    bill: billOf({ input: 6_200, output: 1_100 }),
    cost: 0.0835,
    usageIsEstimated: true,
    route: { name: 'coding', rule: 2, when: { tool: 'web_search' } },
    attempts: [
      { ...attempt('vendor', 'opus', 122, [300, 1_140]), status: 529, failure: 'server' },
      {
        ...attempt('mirror', 'familyb-3-pro-preview', 122, [1_440, 3_300]),
        failure: 'idle',
        usage: { inputTokens: 5_000, outputTokens: 0 },
        usageIsEstimated: true,
        cost: 0.025,
      },
      { ...attempt('hosted', 'familyb-3-pro-preview', 122, [4_740, 8_860]), status: 200 },
    ],
  },
  req_sample11: {
    bill: billOf({ input: 10_900, output: 511 }),
    cost: 0.067275,
    estimateAccuracy: { error: 0.038, reports: 50 },
  },
};

export const ROWS: readonly TrafficRow[] = SAMPLES.map(rowOf).map((row) => ({ ...row, ...DETAILED[row.id] }));

export const RUNNING: TrafficRow = {
  id: 'req_running',
  at: NOW - 8_000,
  source: 'gateway',
  localKeyId: 'agent',
  client: 'claude-cli',
  endpoint: '/messages',
  callerFormat: 'messages',
  model: 'familya-opus-4.6',
  upstream: 'hosted',
  status: 200,
  firstByteMs: 1_400,
  durationMs: 14_000,
};

/** As many rows as a busy day has. */
export const MANY: readonly TrafficRow[] = Array.from({ length: 5_000 }, (_, nth) => {
  const row = ROWS[nth % ROWS.length] as TrafficRow;
  return { ...row, id: `req_many${nth}`, number: 5_000 - nth, at: NOW - nth * 7_000 };
});

export const DETAILS: TrafficDetails = {
  id: 'req_sample2',
  callerFormat: 'messages',
  record: {
    id: 'req_sample2',
    at: NOW - 38_000,
    callerFormat: 'messages',
    upstreamFormat: 'chat-completions',
    upstream: 'hosted',
    durationMs: 9_118,
    queueMs: 240,
    bytesIn: 46_000,
    bytesOut: 22_140,
    end: 'completed',
    dropped: ['web_search'],
  },
  requestHeaders: [
    ['content-type', 'application/json'],
    ['anthropic-version', '2023-06-01'],
    ['user-agent', 'claude-cli/2.1.329 (external)'],
    ['accept-encoding', 'gzip, deflate'],
  ],
  answerHeaders: [
    ['content-type', 'text/event-stream'],
    ['request-id', 'req_sample2'],
    ['x-ratelimit-remaining-tokens', '182000'],
  ],
  attempts: [{ upstream: 'hosted', atMs: 240 }],
  bodies: [
    { part: 'request', bytes: 46_000, keptBytes: 46_000 },
    { part: 'upstreamRequest', bytes: 45_200, keptBytes: 45_200 },
    { part: 'upstreamAnswer', bytes: 21_000, keptBytes: 21_000 },
    { part: 'answer', bytes: 22_140, keptBytes: 22_140 },
  ],
};
