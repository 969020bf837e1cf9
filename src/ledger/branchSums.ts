import type { DatabaseSync } from 'node:sqlite';
import { inScope, isOf, REQUEST_SUMS, requestSumsOf } from './requestSums.ts';
import { chosen } from './row.ts';
import type { BranchCost, BranchQuestion, BranchSums, UsageSessions } from './sessionUsage.ts';
import type { UsageScope } from './usage.ts';

const MAX_ROWS = 200;

/**
 * The index has only the requests with a repository. Without its name, SQLite would read all requests of the period.
 */
const ROWS = 'exchanges INDEXED BY exchanges_by_branch';

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

type BranchRow = Readonly<Record<string, unknown>>;

/** Returns the sums of a period by repository and by branch, the most expensive first. */
export function branchSums(
  database: DatabaseSync,
  scope: UsageScope,
): Pick<UsageSessions, 'byRepository' | 'byBranch'> {
  const { condition, range } = inScope(scope);
  const query = `
    SELECT repository, coalesce(branch, '') AS branch, ${REQUEST_SUMS} FROM ${ROWS}
    WHERE repository IS NOT NULL AND ${condition}
    GROUP BY 1, 2 ORDER BY cost DESC, exchanges DESC, 1, 2`;
  const rows = database.prepare(query).all(...range);
  const repositories = [...Map.groupBy(rows, ({ repository }) => repository).values()].map(sumOfBranches);
  repositories.sort((a, b) => Number(b.cost) - Number(a.cost) || Number(b.exchanges) - Number(a.exchanges));
  return {
    byRepository: repositories.slice(0, MAX_ROWS).map(sumsOf),
    byBranch: rows.slice(0, MAX_ROWS).map(sumsOf),
  };
}

/** Adds up the branches of a repository, because reading its rows a second time would take as long as the first. */
function sumOfBranches(branches: readonly BranchRow[]): BranchRow {
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
  const query = `SELECT ${REQUEST_SUMS} FROM ${ROWS} WHERE repository = ? AND branch IS ? AND ${isOf(ofSandbox)}`;
  return requestSumsOf({ ...database.prepare(query).get(chosen(repository), chosen(branch)) });
}

function sumsOf(row: BranchRow): BranchSums {
  return { repository: String(row.repository), branch: String(row.branch), ...requestSumsOf(row) };
}
