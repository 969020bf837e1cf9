/** Sessions of a sample morning with several tools. */
import type { SessionPage, SessionSums, TrafficRow } from '../../../src/pages/traffic/protocol.ts';
import { isAvoidable } from '../../../src/rules/cacheMiss.ts';
import { NOW } from './samples.ts';

const MINUTE_MS = 60_000;

interface Sample {
  readonly sessionId: string;
  readonly tool: string;
  readonly model: string;
  readonly minutesAgo: number;
  readonly turns: number;
  /** Number of requests in each turn. */
  readonly each: number;
  readonly agentId?: string;
  readonly more?: Partial<TrafficRow>;
}

const SAMPLES: readonly Sample[] = [
  { sessionId: '4f1c09ae77d2b603', tool: 'agent', model: 'familya-opus-4.6', minutesAgo: 4, turns: 18, each: 3 },
  {
    sessionId: '4f1c09ae77d2b603',
    tool: 'agent',
    model: 'familya-haiku-4.5',
    minutesAgo: 20,
    turns: 4,
    each: 4,
    agentId: '77aa11bb22cc33dd',
  },
  {
    sessionId: '11aa22bb33cc44dd',
    tool: 'chat',
    model: 'familya-sonnet-4.6',
    minutesAgo: 9,
    turns: 9,
    each: 1,
    more: { source: 'chatPanel', conversationId: 'c1' },
  },
  { sessionId: '90ab12cd34ef5678', tool: 'review', model: 'familyc-5.3-codex', minutesAgo: 42, turns: 11, each: 2 },
  {
    sessionId: '5b6c7d8e9f00aa11',
    tool: 'notebook',
    model: 'local-llama',
    minutesAgo: 70,
    turns: 1,
    each: 2,
    more: { end: 'budget', status: 402 },
  },
];

function rowsOf({ sessionId, tool, model, minutesAgo, turns, each, agentId, more }: Sample): TrafficRow[] {
  return Array.from({ length: turns * each }, (_, nth): TrafficRow => {
    const turn = Math.floor(nth / each);
    const isMiss = turn === 4 && nth % each === 1;
    const context = 30_000 + 3_000 * (turns - turn);
    const read = isMiss ? 12_400 : context - 1_900;
    const written = isMiss ? context - 12_700 : 1_500;
    return {
      number: 10_000 - nth,
      id: `req_${agentId ?? 'main'}_${sessionId.slice(0, 4)}_${nth}`,
      at: NOW - minutesAgo * MINUTE_MS - nth * 40_000,
      source: 'gateway',
      sessionId,
      ...(agentId !== undefined && { agentId, agentType: 'Explore' }),
      turnId: `${agentId ?? ''}${turn}`,
      ...(tool !== 'chat' && { localKeyId: tool, client: 'claude-cli' }),
      endpoint: '/messages',
      model,
      upstream: 'hosted',
      status: 200,
      firstByteMs: 900,
      durationMs: 8_000,
      usage: { inputTokens: context, outputTokens: 700, cachedInputTokens: read, cacheWriteTokens: written },
      cost: (read * 0.5 + written * 6.25 + 700 * 25) / 1e6,
      ...(isMiss && { cacheMiss: { reason: 'tools_changed', missedTokens: context - 14_000, cost: 0.11 } }),
      end: 'completed',
      ...more,
    };
  });
}

const ALONE: TrafficRow = {
  number: 1,
  id: 'req_alone',
  at: NOW - 90 * MINUTE_MS,
  source: 'gateway',
  localKeyId: 'commit',
  client: 'curl',
  model: 'local-llama',
  status: 200,
  durationMs: 900,
  usage: { inputTokens: 1_100, outputTokens: 42 },
  end: 'completed',
};

/** Latest first. */
export const TREE_ROWS: readonly TrafficRow[] = [...SAMPLES.flatMap(rowsOf), ALONE].sort((a, b) => b.at - a.at);

/** A session with a thousand requests, in addition to the others. */
export const MANY_TREE_ROWS: readonly TrafficRow[] = [
  ...rowsOf({
    sessionId: 'aaaa0000bbbb1111',
    tool: 'agent',
    model: 'familya-opus-4.6',
    minutesAgo: 1,
    turns: 1000,
    each: 1,
  }),
  ...TREE_ROWS,
].sort((a, b) => b.at - a.at);

export const TREE_TITLES: Readonly<Record<string, string>> = { c1: 'Fix rounding in quote.ts' };

/**
 * Returns the sums that the ledger has for these requests.
 * @param rows latest first.
 */
export function sessionPageOf(rows: readonly TrafficRow[]): SessionPage {
  const groups = [...Map.groupBy(rows, ({ sessionId = '' }) => sessionId)];
  const sessions = groups.map(([sessionId, ofSession]) => sumsOf(sessionId, ofSession));
  const alone = sessions.find(({ sessionId }) => sessionId === '');
  const named = sessions.filter(({ sessionId }) => sessionId !== '');
  return { count: named.length, sessions: named, ...(alone !== undefined && { withoutSession: alone }) };
}

function sumsOf(sessionId: string, rows: readonly TrafficRow[]): SessionSums {
  const sum = (value: (row: TrafficRow) => number | undefined) =>
    rows.reduce((total, row) => total + (value(row) ?? 0), 0);
  const [latest] = rows;
  const models = [...new Set(rows.map(({ model = '' }) => model))];
  return {
    sessionId,
    at: Math.min(...rows.map(({ at }) => at)),
    lastAt: latest?.at ?? 0,
    source: latest?.source ?? 'gateway',
    localKeyId: latest?.localKeyId ?? '',
    client: latest?.client ?? '',
    conversationId: latest?.conversationId ?? '',
    model: models[0] ?? '',
    otherModels: models.length - 1,
    turns: new Set(rows.map(({ turnId }) => turnId).filter((id) => id !== undefined)).size,
    exchanges: rows.length,
    unpriced: rows.filter(({ cost, usage }) => cost === undefined && usage !== undefined).length,
    estimated: 0,
    inputTokens: sum(({ usage }) => usage?.inputTokens),
    cachedInputTokens: sum(({ usage }) => usage?.cachedInputTokens),
    cacheWriteTokens: sum(({ usage }) => usage?.cacheWriteTokens),
    outputTokens: sum(({ usage }) => usage?.outputTokens),
    cost: sum(({ cost }) => cost),
    isSample: false,
    cacheSaving: 0,
    avoidable: sum(({ cacheMiss }) => (cacheMiss !== undefined && isAvoidable(cacheMiss.reason) ? cacheMiss.cost : 0)),
    lastEnd: latest?.end ?? 'completed',
    ...(latest?.status !== undefined && { lastStatus: latest.status }),
  };
}
