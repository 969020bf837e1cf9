import * as z from 'zod/mini';
import { toDollars } from '../../../../../src/ledger/cost.ts';
import { endedAs } from '../../../../../src/ledger/exchangeConditions.ts';
import type { DatabaseConnection } from '../connection.ts';

export interface ModelReportQuestion {
  /** The ID of the key whose requests are summed up. */
  readonly key: string;
  /** First and last day (inclusive), such as `2026-11-22`, in the database's time zone. */
  readonly from?: string;
  readonly to?: string;
}

export const MODEL_SUMS = [
  'exchanges',
  'failed',
  'estimated',
  'unpriced',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost',
  'cache_saving',
] as const;

/** The usage of one model. Money is in US dollars. */
export type ModelSums = { readonly [Sum in (typeof MODEL_SUMS)[number]]: number } & {
  /** Times to the first byte of answers, in milliseconds. Missing if none was timed. */
  readonly first_byte_ms?: { readonly median: number; readonly p95: number };
};

export interface ModelReport {
  /** The most expensive model first. Requests without a model, such as for the catalog and the balance, are not included. */
  readonly data: readonly (ModelSums & { readonly model: string | null })[];
  readonly total: ModelSums;
}

const inDetails = (column: string) => `coalesce(sum((e.details ->> '${column}')::bigint), 0)::bigint AS ${column}`;
const FIRST_BYTE = "(e.details ->> 'first_byte_ms')::float8";

/** The daily sums have neither cached tokens nor times, so the rows of the key are read. */
const REPORT = `
  SELECT grouping(e.model) = 1 AS is_total, e.model, count(*) AS exchanges,
    count(*) FILTER (WHERE ${endedAs('failed', 'e.')}) AS failed,
    count(*) FILTER (WHERE e.is_estimated) AS estimated,
    count(*) FILTER (WHERE e.cost IS NULL AND e.input_tokens IS NOT NULL) AS unpriced,
    coalesce(sum(e.input_tokens), 0)::bigint AS input_tokens, coalesce(sum(e.output_tokens), 0)::bigint AS output_tokens,
    ${['cached_input_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cache_saving'].map(inDetails).join(', ')},
    coalesce(sum(e.cost), 0)::bigint AS cost,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY ${FIRST_BYTE}) AS median,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY ${FIRST_BYTE}) AS p95
  FROM exchange e
  WHERE e.key = $1 AND e.model IS NOT NULL AND e.day BETWEEN $2 AND $3 AND e.at > $2::date - interval '2 days' AND e.at < $3::date + interval '3 days'
  GROUP BY GROUPING SETS ((e.model), ())
  ORDER BY cost DESC, exchanges DESC`;

const line = z.object({
  is_total: z.boolean(),
  model: z.nullable(z.string()),
  ...Object.fromEntries(MODEL_SUMS.map((name) => [name, z.number()])),
  median: z.nullable(z.number()),
  p95: z.nullable(z.number()),
});

/**
 * Sums up the requests of a key by model.
 * @throws {DatabaseError}
 */
export async function reportModels(
  connection: DatabaseConnection,
  question: ModelReportQuestion,
): Promise<ModelReport> {
  const { key, from = '0001-01-01', to = '9999-12-01' } = question;
  const rows = (await connection.query(REPORT, [key, from, to])).map((row) => line.parse(row) as ReportLine);
  const total = rows.find(({ is_total }) => is_total);
  return {
    data: rows.filter(({ is_total }) => !is_total).map((row) => ({ model: row.model, ...sumsOf(row) })),
    total: total === undefined ? NOTHING : sumsOf(total),
  };
}

type ReportLine = { readonly [Sum in (typeof MODEL_SUMS)[number]]: number } & {
  readonly is_total: boolean;
  readonly model: string | null;
  readonly median: number | null;
  readonly p95: number | null;
};

const NOTHING = Object.fromEntries(MODEL_SUMS.map((name) => [name, 0])) as Record<(typeof MODEL_SUMS)[number], number>;

function sumsOf({ is_total: _, model: __, median, p95, ...sums }: ReportLine): ModelSums {
  return {
    ...sums,
    cost: toDollars(sums.cost),
    cache_saving: toDollars(sums.cache_saving),
    ...(median !== null && p95 !== null && { first_byte_ms: { median, p95 } }),
  };
}
