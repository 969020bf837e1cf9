import { addDays, daysBetween, startOfDay } from '../../../src/display/day.ts';
import type {
  ModelRange,
  TeamUsage,
  UsageCaller,
  UsageDistribution,
  UsageModel,
  UsageMoment,
  UsageReport,
  UsageSpend,
  UsageState,
  UsageSums,
} from '../../../src/pages/usage/protocol.ts';

const TODAY = '2026-11-20';
export const NOW = startOfDay(TODAY) + 18 * 60 * 60 * 1000;

const NOTHING: UsageSums = {
  exchanges: 0,
  failed: 0,
  unpriced: 0,
  estimated: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  cacheSaving: 0,
  reasoningTokens: 0,
  cost: 0,
};

/** Name, share of the spending, and median time to the first token in milliseconds. */
const MODELS = [
  ['familya-opus-4.6', 0.35, 1100],
  ['familya-sonnet-4.6', 0.26, 900],
  ['familyc-5.3-codex', 0.17, 800],
  ['familyb-3.1-pro', 0.105, 1300],
  ['familya-haiku-4.5', 0.055, 400],
  ['familyd-code-fast-1', 0.025, 500],
  ['familyc-5.4', 0.02, 1500],
  ['familyb-3.1-flash', 0.015, 300],
] as const;

/** Returns deterministic numbers between 0 and 1. */
export function random(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43758.5453;
  return value - Math.floor(value);
}

function sums(cost: number, exchanges: number): UsageSums {
  return {
    ...NOTHING,
    exchanges,
    failed: Math.floor(exchanges / 90),
    inputTokens: Math.round(cost * 690_000),
    outputTokens: Math.round(cost * 41_000),
    cachedInputTokens: Math.round(cost * 262_000),
    reasoningTokens: Math.round(cost * 7000),
    cost,
  };
}

function total(parts: readonly UsageSums[]): UsageSums {
  const names = Object.keys(NOTHING) as (keyof UsageSums)[];
  const entries = names.map((name) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)] as const);
  return { ...NOTHING, ...Object.fromEntries(entries) };
}

function distribution(median: number, exchanges: number): UsageDistribution {
  const bars = Array.from({ length: 13 }, (_, index) => {
    const from = (median / 16) * 2 ** (index / 2);
    const share = Math.exp(-(((index - 7.5) / 2.6) ** 2)) / 4.6;
    return { from, to: from * Math.SQRT2, exchanges: Math.round(share * exchanges) };
  });
  return { median, p95: median * 2.4, exchanges, bars };
}

function reportOf(
  times: readonly string[],
  unit: UsageReport['unit'],
  dailyCost: (index: number) => number,
): UsageReport {
  const spends: UsageSpend[] = [];
  const moments: UsageMoment[] = times.map((time, index) => {
    const cost = dailyCost(index);
    for (const [place, [model, share]] of MODELS.entries()) {
      const part = cost * share * (0.6 + 0.8 * random(index * 8 + place));
      spends.push({ time, model, cost: part, exchanges: Math.round(part * 70), estimated: 0 });
    }
    const spent = spends.filter((spend) => spend.time === time).reduce((sum, spend) => sum + spend.cost, 0);
    const median = 780 + 240 * random(index + 500);
    return {
      time,
      ...sums(spent, Math.round(spent * 73)),
      firstByte: { median, p95: median * (2 + 0.6 * random(index + 900)) },
    };
  });
  const totals = total(moments);
  const models: UsageModel[] = MODELS.map(([name, _, median]) => {
    const cost = spends.filter(({ model }) => model === name).reduce((sum, spend) => sum + spend.cost, 0);
    return { name, ...sums(cost, Math.round(cost * 73)), firstByte: { median, p95: median * 2.4 } };
  });
  return {
    period: { first: times[0]?.slice(0, 10) ?? TODAY, last: times.at(-1)?.slice(0, 10) ?? TODAY },
    unit,
    totals,
    moments,
    spends,
    models,
    callers: callersOf(totals),
    firstByte: distribution(820, totals.exchanges),
    duration: distribution(6400, totals.exchanges),
    pace: { days: 13.75, cost: totals.cost / 2.2 },
    reconciliation: RECONCILIATION,
  };
}

const RECONCILIATION = {
  from: startOfDay(addDays(TODAY, -21)),
  to: NOW - 240_000,
  readings: 312,
  drawn: 21.74,
  recorded: 21.31,
  unpriced: 0,
  estimated: 12,
  topUps: 1,
};

/** Splits the totals by caller. */
function callersOf(totals: UsageSums): UsageCaller[] {
  const part = (share: number) => sums(totals.cost * share, Math.round(totals.exchanges * share));
  return [
    { source: 'chatPanel', localKeyId: '', ...part(0.44) },
    { source: 'gateway', localKeyId: 'k1', ...part(0.31) },
    { source: 'gateway', localKeyId: 'k2', ...part(0.14) },
    { source: 'nativeChat', localKeyId: '', ...part(0.06) },
    { source: 'gateway', localKeyId: 'k0ld-0000', ...part(0.05) },
  ];
}

export const DAYS = daysBetween(addDays(TODAY, -29), TODAY);
export const isWeekend = (day: string) => [0, 6].includes(new Date(startOfDay(day)).getDay());

export const MONTH = reportOf(DAYS, 'day', (index) =>
  isWeekend(DAYS[index] ?? TODAY) ? 0.15 + 0.2 * random(index) : 0.9 + 0.75 * random(index),
);

export const HOURS = reportOf(
  Array.from({ length: 19 }, (_, hour) => `${TODAY}T${String(hour).padStart(2, '0')}`),
  'hour',
  (hour) => (hour < 8 ? 0 : 0.22 * random(hour)),
);

/** A report whose amounts need many decimals on the axis. */
export const CENTS = reportOf(DAYS, 'day', (index) => 0.00002 * random(index));

export const UNPRICED: UsageReport = {
  ...MONTH,
  totals: { ...MONTH.totals, unpriced: 214 },
  models: [
    ...MONTH.models,
    { name: 'llama-local', ...sums(0, 214), inputTokens: 2_100_000, outputTokens: 84_000, unpriced: 214 },
  ],
};

export const EMPTY_REPORT: UsageReport = {
  period: MONTH.period,
  unit: 'day',
  totals: NOTHING,
  moments: [],
  spends: [],
  models: [],
  callers: [],
  pace: { days: 0, cost: 0 },
};

function whatIfOf(charged: number): readonly ModelRange[] {
  return [
    { model: 'familya-opus-4.6', low: charged * 1.2, high: charged * 1.7 },
    { model: 'familyc-5.4', low: charged * 0.8, high: charged * 1.1 },
    { model: 'familya-sonnet-4.6', low: charged * 0.7, high: charged },
    { model: 'familyd-code-fast-1', low: charged * 0.05, high: charged * 0.08 },
  ];
}

export function state(report: UsageReport | undefined, rest: Partial<UsageState> = {}): UsageState {
  return {
    choice: { kind: '30days' },
    period: MONTH.period,
    ...(report !== undefined && { report }),
    ...(report !== undefined && report.totals.exchanges > 0 && { whatIf: whatIfOf(report.totals.cost) }),
    isReading: false,
    now: NOW,
    connection: 'hosted',
    hasDashboard: true,
    balance: 12.44,
    keyNames: { k1: 'Terminal agent', k2: 'Notebook' },
    conversationTitles: { c1: 'Guard the token refresh', c2: 'Plan the migration' },
    ...rest,
  };
}

/** A key of a team's gateway. The budgets are in US dollars per month. */
export function teamOf(key: number, ofTeam: number, report: UsageReport | undefined = ofThreeModels()): TeamUsage {
  const monthly = { unit: 'usd', period: 'monthly', renewsAt: startOfDay('2026-12-01'), reserved: 0.12 } as const;
  const own = 18.4;
  return {
    host: 'models.example.com',
    account: {
      key: { id: '0b6d8f9c-6a51-4c5e-9a6f-0d4b5f1f2a33', name: 'laptop' },
      team: { name: 'Platform team', keys: 12, dailyAverage: 21.8 },
      usedToday: 1.24,
      budgets: [
        { of: 'key', ...monthly, granted: key, used: own, remaining: key - own },
        { of: 'team', ...monthly, granted: 450, used: ofTeam, remaining: 450 - ofTeam, usedByKey: own },
      ],
    },
    ...(report !== undefined && { report }),
  };
}

/** A gateway reports neither tools nor conversations. */
function ofThreeModels(): UsageReport {
  const models = MONTH.models.slice(0, 3);
  const names = new Set(models.map(({ name }) => name));
  const spends = MONTH.spends.filter(({ model }) => names.has(model));
  return { ...MONTH, models, spends, callers: [], moments: [] };
}

/** A period without any use of a cache. */
export const UNCACHED_REPORT: UsageReport = {
  ...MONTH,
  totals: { ...MONTH.totals, cachedInputTokens: 0, cacheWriteTokens: 0 },
};
