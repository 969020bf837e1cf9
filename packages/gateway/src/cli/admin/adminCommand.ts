import { formatBalance, formatSum } from '../../../../../src/display/money.ts';
import { formatTokensExact } from '../../../../../src/display/tokens.ts';
import type { BudgetReport } from '../../postgres/admin/budgetRows.ts';
import { KeyAdmin, type KeyReport } from '../../postgres/admin/keyAdmin.ts';
import { TeamAdmin, type TeamReport } from '../../postgres/admin/teamAdmin.ts';
import type { DatabaseConnection } from '../../postgres/connection.ts';
import { UsageError } from '../arguments.ts';
import { readDatabaseAddress } from '../database.ts';
import { withDatabase } from '../withDatabase.ts';
import { ADMIN_HELP, type AdminCommand, readAdminCommand } from './adminOptions.ts';

/**
 * Runs the command.
 * @returns the text to print.
 * @throws {UsageError} @throws {DatabaseError}
 */
export async function runAdminCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const command = readAdminCommand(args);
  if (command === undefined) return ADMIN_HELP;
  const address = readDatabaseAddress(command.database, environment);
  if (address === undefined) throw new UsageError('Name the database with --database or DATABASE_URL.');
  const result = await withDatabase(address, (connection) =>
    command.noun === 'keys' ? ofKeys(command, connection) : ofTeams(command, connection),
  );
  return command.isJson ? JSON.stringify(result) : adminText(result);
}

function ofKeys(command: AdminCommand, connection: DatabaseConnection): Promise<unknown> {
  const admin = new KeyAdmin(connection);
  return run(command, {
    create: () => admin.create(nameOf(command), command.changes),
    list: () => admin.list(),
    show: () => admin.show(targetOf(command)),
    change: () => admin.change(targetOf(command), command.changes),
    rotate: () => admin.rotate(targetOf(command)),
    revoke: () => revoked(targetOf(command), admin.revoke(targetOf(command))),
  });
}

function ofTeams(command: AdminCommand, connection: DatabaseConnection): Promise<unknown> {
  const admin = new TeamAdmin(connection);
  return run(command, {
    create: () => admin.create(nameOf(command), command.changes.budgets ?? undefined),
    list: () => admin.list(),
    show: () => admin.show(targetOf(command)),
    change: () => admin.change(targetOf(command), command.changes),
    revoke: () => revoked(targetOf(command), admin.revoke(targetOf(command))),
  });
}

function run(command: AdminCommand, verbs: Readonly<Record<string, () => Promise<unknown>>>): Promise<unknown> {
  const { noun, verb } = command;
  const does = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (does !== undefined) return does();
  const known = new Intl.ListFormat('en').format(Object.keys(verbs));
  throw new UsageError(`Unknown command: ${noun} ${verb}. Use one of ${known}.`);
}

async function revoked(name: string, done: Promise<void>): Promise<{ readonly revoked: string }> {
  await done;
  return { revoked: name };
}

function nameOf({ noun, target, changes: { name = target } }: AdminCommand): string {
  if (name === undefined) throw new UsageError(`${noun} create requires --name.`);
  return name;
}

function targetOf({ noun, verb, target }: AdminCommand): string {
  if (target === undefined) throw new UsageError(`${noun} ${verb} requires a name or an id.`);
  return target;
}

type Report = (KeyReport | TeamReport) & { readonly key?: string };

function adminText(result: unknown): string {
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
