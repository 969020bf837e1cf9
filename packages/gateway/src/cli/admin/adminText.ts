/** Formats keys and teams as text. */
import { formatBalance, formatSum } from '../../../../../src/display/money.ts';
import { formatTokensExact } from '../../../../../src/display/tokens.ts';
import type { BudgetReport } from '../../postgres/admin/budgetRows.ts';
import type { KeyReport } from '../../postgres/admin/keyAdmin.ts';
import type { TeamReport } from '../../postgres/admin/teamAdmin.ts';

type Report = (KeyReport | TeamReport) & { readonly key?: string };

export function adminText(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? 'None.' : result.map(lineOf).join('\n');
  const report = result as Report | { readonly revoked: string };
  return 'revoked' in report ? `Revoked ${report.revoked}.` : detailsOf(report);
}

function lineOf(report: Report): string {
  return [report.name, ...ofTeam(report), ...report.budgets.map(budgetText)].join('  ');
}

function detailsOf(report: Report): string {
  const { id, name, key, budgets } = report;
  const lines: (readonly [label: string, value: string | undefined])[] = [
    ['name', name],
    ['id', id],
    ['key', key],
    ['team', 'team' in report ? report.team : undefined],
    ['keys', 'keys' in report ? String(report.keys) : undefined],
    ...budgets.map((budget) => ['budget', budgetText(budget)] as const),
    ['models', 'models' in report ? report.models?.join(', ') : undefined],
    ['limits', 'limits' in report && report.limits ? JSON.stringify(report.limits) : undefined],
    ['lowers', 'lowers_limits' in report && report.lowers_limits ? 'output limits' : undefined],
    ['secrets', 'secrets' in report ? report.secrets : undefined],
    ['context', 'measures_context' in report && !report.measures_context ? 'not measured' : undefined],
    ['expires', 'expires_at' in report ? report.expires_at : undefined],
    ['created', report.created_at],
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label.padEnd(8)}${value}`)
    .join('\n');
}

function ofTeam(report: Report): readonly string[] {
  return 'team' in report && report.team !== undefined ? [`(${report.team})`] : [];
}

function budgetText({ unit, period, amount, spent }: BudgetReport): string {
  const [of, whole] = unit === 'usd' ? [formatSum(spent), formatBalance(amount)] : [tokens(spent), tokens(amount)];
  return `${of} of ${whole} ${period}`;
}

function tokens(count: number): string {
  return `${formatTokensExact(count)} tokens`;
}
