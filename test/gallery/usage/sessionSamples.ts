/** Sessions, runs, branches, and caches of the month. */
import type {
  BranchSums,
  CacheMoment,
  CacheSums,
  CacheUsage,
  RunSums,
  SessionGroup,
  UsageSessions,
} from '../../../src/pages/usage/protocol.ts';
import { DAYS, isWeekend, NOW, random } from './samples.ts';

const SESSIONS = [
  ['2c09ffab31e4d7a8', 'claude-cli', 'familya-sonnet-4.6', 0, 42, 310, 3_400_000, 0.88, 3.62, 0.21],
  ['7be1d6c2aa094f13', 'claude-cli', 'familya-opus-4.6', 0, 29, 180, 2_100_000, 0.71, 3.58, 1.31],
  ['4f1c09ae77d2b603', 'claude-cli', 'familya-opus-4.6', 2, 18, 250, 3_845_000, 0.92, 4.07, 0.54],
  ['90ab12cd34ef5678', 'codex_exec', 'familyc-5.3-codex', 0, 24, 61, 504_000, 0.64, 2.07, 0.2],
  ['c8d1aa4420b9e6f7', 'python', 'familya-sonnet-4.6', 0, 8, 8, 318_000, 0, 1.15, 0.523],
  ['e01f5b7c93d2a684', 'claude-cli', 'familya-haiku-4.5', 0, 4, 12, 96_000, 0.8, 0.41, 0],
  ['11aa22bb33cc44dd', '', 'familya-sonnet-4.6', 0, 9, 9, 210_000, 0.89, 1.291, 0],
] as const;

/** Sessions of the month, one of which is a chat. */
function group(members: Partial<SessionGroup>): SessionGroup {
  const { cost = 0 } = members;
  const caller = { day: '', source: 'gateway', localKeyId: 'k1', client: '' } as const;
  const tokens = { inputTokens: 2_400_000, cachedInputTokens: 2_100_000 };
  const sums = { sessions: 1, turns: 1, exchanges: 1, unpriced: 0, estimated: 0, cost, cacheSaving: 3 * cost };
  return { ...caller, ...tokens, ...sums, avoidable: 0, ...members };
}

/** A run of the agent in the only chat. */
function run(nth: number, steps: number, input: number, cost: number): RunSums {
  const ids = { sessionId: '11aa22bb33cc44dd', turnId: `run${nth}`, conversationId: 'c1' };
  const counts = { steps, exchanges: steps, unpriced: 0, estimated: 0 };
  const tokens = {
    inputTokens: input,
    cachedInputTokens: Math.round(input * 0.86),
    cacheWriteTokens: Math.round(input * 0.1),
    outputTokens: steps * 640,
  };
  return { ...ids, at: NOW - (nth + 1) * 5_400_000, ...counts, ...tokens, cost, cacheSaving: 3 * cost, avoidable: 0 };
}

function branch(repository: string, name: string, exchanges: number, cost: number): BranchSums {
  const tokens = { inputTokens: exchanges * 11_400, outputTokens: exchanges * 620 };
  const counts = { exchanges, unpriced: 0, estimated: 0 };
  return { repository, branch: name, at: NOW - 86_400_000, ...counts, ...tokens, cost, cacheSaving: 0.4 * cost };
}

const MOMENTS = DAYS.map((time, index): CacheMoment => {
  const amount = isWeekend(time) ? 0.25 : 1.6 + 0.9 * random(index + 40);
  const avoidable = time === '2026-11-17' ? 1.42 : amount * 0.0816;
  return { time, readsSaved: amount, writesExtra: amount * 0.09, avoidable };
});

function cacheOf(moments: readonly CacheMoment[]): CacheUsage {
  const sum = (name: keyof CacheSums) => moments.reduce((total, moment) => total + moment[name], 0);
  const amounts = {
    readsSaved: sum('readsSaved'),
    writesExtra: sum('writesExtra'),
    avoidable: sum('avoidable'),
  };
  return { ...amounts, misses: 160, missedSessions: 41, hitRateBefore: 0.31, moments };
}

export const SESSIONS_OF_MONTH: UsageSessions = {
  count: 63,
  sessions: SESSIONS.map(
    ([sessionId, client, model, otherModels, turns, exchanges, input, hits, cost, avoidable], nth) => ({
      sessionId,
      at: NOW - (nth + 2) * 3_600_000,
      lastAt: NOW - nth * 3_600_000,
      source: client === '' ? 'chatPanel' : 'gateway',
      localKeyId: client === '' ? '' : 'k1',
      client,
      conversationId: client === '' ? 'c1' : '',
      model,
      otherModels,
      turns,
      exchanges,
      unpriced: 0,
      estimated: 0,
      inputTokens: input,
      cachedInputTokens: Math.round(input * hits),
      cacheWriteTokens: hits === 0 ? 0 : Math.round(input * (1 - hits) * 0.9),
      outputTokens: Math.round(input * 0.02),
      cost,
      isSample: false,
      cacheSaving: 3 * cost,
      avoidable,
      lastEnd: 'completed',
    }),
  ),
  byTool: [
    group({ client: 'claude-cli', sessions: 41, exchanges: 1_204, cost: 16.2, avoidable: 3.81 }),
    group({ source: 'chatPanel', localKeyId: '', sessions: 15, exchanges: 162, cost: 6.9 }),
    group({ client: 'codex', sessions: 7, exchanges: 118, cost: 2.07, avoidable: 0.32 }),
  ],
  byDay: [
    group({ day: '2026-11-20', sessions: 9, exchanges: 240, cost: 6.1, avoidable: 1.06 }),
    group({ day: '2026-11-18', sessions: 4, exchanges: 131, cost: 3.62, avoidable: 0.21 }),
  ],
  runs: [run(0, 34, 1_240_000, 1.86), run(1, 9, 188_000, 0.204), run(2, 3, 41_000, 0.036)],
  byRepository: [branch('orchard/shop', '', 118, 4.95), branch('notes', '', 44, 1.95)],
  byBranch: [
    branch('orchard/shop', 'feature/totals', 87, 3.71),
    branch('notes', 'main', 44, 1.95),
    branch('orchard/shop', 'main', 31, 1.24),
  ],
  misses: [
    { reason: 'tools_changed', exchanges: 31, cost: 2.31 },
    { reason: 'unmarked', exchanges: 58, cost: 1.05 },
    { reason: 'expired', exchanges: 44, cost: 0.75 },
    { reason: 'system_volatile', exchanges: 12, cost: 0.45 },
    { reason: 'history_rewritten', exchanges: 6, cost: 0.3 },
    { reason: 'lookback', exchanges: 5, cost: 0.1 },
    { reason: 'parallel_start', exchanges: 4, cost: 0.05 },
  ],
  cache: cacheOf(MOMENTS),
};

/** A period in which writing to caches cost more than reading from them saved. */
export const LOSSES_OF_MONTH: UsageSessions = {
  ...SESSIONS_OF_MONTH,
  misses: [],
  cache: {
    ...cacheOf(MOMENTS.map((each) => ({ ...each, readsSaved: each.writesExtra, writesExtra: 0.2, avoidable: 0 }))),
    misses: 0,
    missedSessions: 0,
  },
};

/** A period without any use of a cache. */
export const UNCACHED_SESSIONS: UsageSessions = {
  ...SESSIONS_OF_MONTH,
  count: 0,
  sessions: [],
  byRepository: [],
  byBranch: [],
  misses: [],
  cache: { readsSaved: 0, writesExtra: 0, avoidable: 0, misses: 0, missedSessions: 0, moments: [] },
};
