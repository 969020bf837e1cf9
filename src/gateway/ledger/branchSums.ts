import type { DatabaseSync } from 'node:sqlite';
import { addDays, startOfDay } from '../../display/day.ts';
import { toDollars } from '../core/cost.ts';
import { chosen } from './row.ts';
import { UNPRICED } from './schema.ts';
import type { BranchCost, BranchQuestion, BranchSums, UsageScope, UsageSessions } from './usage.ts';

/** Maximum number of repositories in the usage view, and of branches. */
const MAX_ROWS = 200;

/**
 * The index has only the requests with a repository. Without its name, SQLite would read all requests of the period.
 */
const ROWS = 'exchanges INDEXED BY exchanges_by_branch';

/** Includes what failed attempts were billed for, as the cost does. */
const SUMS = `
  min(at) AS at, count(*) AS exchanges, count(*) FILTER (WHERE ${UNPRICED}) AS unpriced,
  total(usage_is_estimated) AS estimated, total(unconfirmed_cost) AS unconfirmed,
  total(input_tokens) + total(attempts_input_tokens) AS input_tokens,
  total(output_tokens) + total(attempts_output_tokens) AS output_tokens,
  total(cost) AS cost, total(cache_saving) AS cache_saving`;

const ADDED = [
  'exchanges',
  'unpriced',
  'estimated',
  'unconfirmed',
  'input_tokens',
  'output_tokens',
  'cost',
  'cache_saving',
] as const;

type Row = Readonly<Record<string, unknown>>;

/** Returns the sums of a period by repository and by branch, the most expensive first. */
export function branchSums(
  database: DatabaseSync,
  { period, ofSandbox }: UsageScope,
): Pick<UsageSessions, 'byRepository' | 'byBranch'> {
  const query = `
    SELECT repository, coalesce(branch, '') AS branch, ${SUMS} FROM ${ROWS}
    WHERE repository IS NOT NULL AND at >= ? AND at < ? AND ${isIn(ofSandbox)}
    GROUP BY 1, 2 ORDER BY cost DESC, exchanges DESC, 1, 2`;
  const rows = database.prepare(query).all(startOfDay(period.first), startOfDay(addDays(period.last, 1)));
  const repositories = [...Map.groupBy(rows, ({ repository }) => repository).values()].map(sumOfBranches);
  repositories.sort((a, b) => Number(b.cost) - Number(a.cost) || Number(b.exchanges) - Number(a.exchanges));
  return {
    byRepository: repositories.slice(0, MAX_ROWS).map(sumsOf),
    byBranch: rows.slice(0, MAX_ROWS).map(sumsOf),
  };
}

/** Adds up the branches of a repository, because reading its rows a second time would take as long as the first. */
function sumOfBranches(branches: readonly Row[]): Row {
  const sums: Record<string, unknown> = { ...branches[0], branch: '' };
  for (const branch of branches.slice(1)) {
    for (const name of ADDED) sums[name] = Number(sums[name]) + Number(branch[name]);
    sums.at = Math.min(Number(sums.at), Number(branch.at));
  }
  return sums;
}

export function branchCost(
  database: DatabaseSync,
  { repository, branch, ofSandbox }: Omit<BranchQuestion, 'ledger'>,
): BranchCost {
  const query = `SELECT ${SUMS} FROM ${ROWS} WHERE repository = ? AND branch IS ? AND ${isIn(ofSandbox)}`;
  return costOf({ ...database.prepare(query).get(chosen(repository), chosen(branch)) });
}

/** Sample money is never added to real money. */
function isIn(ofSandbox: boolean): string {
  return `coalesce(upstream, '') ${ofSandbox ? '=' : '<>'} 'sandbox'`;
}

function sumsOf(row: Row): BranchSums {
  return { repository: String(row.repository), branch: String(row.branch), ...costOf(row) };
}

function costOf(row: Row): BranchCost {
  const unconfirmed = toDollars(Number(row.unconfirmed));
  return {
    at: Number(row.at),
    exchanges: Number(row.exchanges),
    unpriced: Number(row.unpriced),
    estimated: Number(row.estimated),
    ...(unconfirmed > 0 && { unconfirmed }),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cost: toDollars(Number(row.cost)),
    cacheSaving: toDollars(Number(row.cache_saving)),
  };
}
