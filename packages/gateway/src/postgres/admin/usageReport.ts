import * as z from 'zod/mini';
import { csvText } from '../../../../../src/display/csvText.ts';
import { toDollars } from '../../../../../src/ledger/cost.ts';
import type { DatabaseConnection } from '../connection.ts';

export const USAGE_DIMENSIONS = ['day', 'key', 'team', 'client', 'model', 'upstream'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

export interface TeamUsageQuestion {
  /** First and last day (inclusive), such as `2026-11-22`, in the database's time zone. */
  readonly from?: string;
  readonly to?: string;
  readonly by: readonly UsageDimension[];
  /** Restricts the report to the key with this ID. */
  readonly key?: string;
}

/** The usage for one combination of dimension values. Keys and teams are given by name; `null` means unknown. */
export type TeamUsageLine = { readonly [Dimension in UsageDimension]?: string | null } & {
  readonly exchanges: number;
  readonly failed: number;
  readonly estimated: number;
  readonly unpriced: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** US dollars: the part of `cost` for usage that no upstream reported. */
  readonly unconfirmed_cost: number;
};

export const USAGE_SUMS = [
  'exchanges',
  'failed',
  'estimated',
  'unpriced',
  'input_tokens',
  'output_tokens',
  'cost',
  'unconfirmed_cost',
] as const;

const EXPRESSIONS: Readonly<Record<UsageDimension, string>> = {
  day: 'u.day::text',
  key: "coalesce((SELECT k.name FROM api_key k WHERE k.id = u.key), nullif(u.key, ''))",
  team: "coalesce((SELECT t.name FROM team t WHERE t.id = u.team), nullif(u.team, ''))",
  client: "nullif(u.client, '')",
  model: "nullif(u.model, '')",
  upstream: "nullif(u.upstream, '')",
};

const line = z.object({
  ...Object.fromEntries(USAGE_DIMENSIONS.map((name) => [name, z.optional(z.nullable(z.string()))])),
  ...Object.fromEntries(USAGE_SUMS.map((name) => [name, z.number()])),
});

/**
 * Computes a report from the daily sums.
 * @throws {DatabaseError}
 */
export async function reportUsage(
  connection: DatabaseConnection,
  question: TeamUsageQuestion,
): Promise<readonly TeamUsageLine[]> {
  const { from = '0001-01-01', to = '9999-12-31', key, by } = question;
  const columns = by.map((dimension) => `u.${dimension}`);
  const inner = [...columns, ...USAGE_SUMS.map((sum) => `sum(u.${sum})::bigint AS ${sum}`)].join(', ');
  const outer = [...by.map((dimension) => `${EXPRESSIONS[dimension]} AS ${dimension}`), ...USAGE_SUMS].join(', ');
  const rows = await connection.query(
    `SELECT ${outer} FROM (
       SELECT ${inner} FROM usage_day u WHERE u.day BETWEEN $1 AND $2 AND ($3::text IS NULL OR u.key = $3)
       ${columns.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${columns.join(', ')}`}
     ) u ORDER BY ${by.length === 0 ? 'exchanges' : by.map((_, place) => place + 1).join(', ')}`,
    [from, to, key ?? null],
  );
  return rows.map((row) => {
    const parsed = line.parse(row) as TeamUsageLine;
    return { ...parsed, cost: toDollars(parsed.cost), unconfirmed_cost: toDollars(parsed.unconfirmed_cost) };
  });
}

/** Formats a report as CSV with a header line, according to RFC 4180. */
export function usageCsv(lines: readonly TeamUsageLine[], by: readonly UsageDimension[]): string {
  const names = [...by, ...USAGE_SUMS];
  const rows = lines.map((each) => names.map((name) => cell(each[name] ?? '')).join(','));
  return `${[names.join(','), ...rows].join('\r\n')}\r\n`;
}

function cell(value: string | number): string {
  return typeof value === 'number' ? String(value) : csvText(value);
}
