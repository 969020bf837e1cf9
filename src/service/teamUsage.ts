/** The usage of a key, as its team's gateway reports it. See docs/team.md. */
import { isRecord, type JsonRecord } from '../formats/json.ts';
import { readNumber } from './amount.ts';

/** Money is in US dollars. */
export interface TeamSums {
  readonly exchanges: number;
  readonly failed: number;
  readonly estimated: number;
  readonly unpriced: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly cost: number;
  readonly cacheSaving: number;
  /** Milliseconds. */
  readonly firstByte?: { readonly median: number; readonly p95: number };
}

export interface TeamModels {
  /** The most expensive one first. */
  readonly models: readonly (TeamSums & { readonly name: string })[];
  readonly total: TeamSums;
}

/** The sums of one model on one day, such as `2026-11-21`. */
export interface TeamDay {
  readonly day: string;
  readonly model: string;
  readonly cost: number;
  readonly exchanges: number;
  readonly estimated: number;
}

/** @throws {TypeError} if the body has another form. */
export function readTeamModels(body: unknown): TeamModels {
  if (!isRecord(body) || !isRecord(body.total)) throw unreadable();
  const models = linesOf(body).map((line) => ({ name: nameOf(line.model), ...sumsOf(line) }));
  return { models, total: sumsOf(body.total) };
}

/** @throws {TypeError} if the body has another form. */
export function readTeamDays(body: unknown): readonly TeamDay[] {
  if (!isRecord(body)) throw unreadable();
  return linesOf(body).map((line) => ({
    day: nameOf(line.day),
    model: nameOf(line.model),
    ...{ cost: count(line.cost), exchanges: count(line.exchanges), estimated: count(line.estimated) },
  }));
}

function linesOf({ data }: JsonRecord): JsonRecord[] {
  if (!Array.isArray(data)) throw unreadable();
  return data.filter(isRecord);
}

function sumsOf(line: JsonRecord): TeamSums {
  const { first_byte_ms: times } = line;
  return {
    exchanges: count(line.exchanges),
    failed: count(line.failed),
    estimated: count(line.estimated),
    unpriced: count(line.unpriced),
    inputTokens: count(line.input_tokens),
    cachedInputTokens: count(line.cached_input_tokens),
    cacheWriteTokens: count(line.cache_write_tokens),
    outputTokens: count(line.output_tokens),
    reasoningTokens: count(line.reasoning_tokens),
    cost: count(line.cost),
    cacheSaving: count(line.cache_saving),
    ...(isRecord(times) && { firstByte: { median: count(times.median), p95: count(times.p95) } }),
  };
}

function count(value: unknown): number {
  return readNumber(value) ?? 0;
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function unreadable(): TypeError {
  return new TypeError('The gateway reported the usage in an unknown format.');
}
