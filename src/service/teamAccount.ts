/**
 * A key of a team's gateway. Its `/balance` names the key, its team, and the budgets of both; other services' balances do
 * not. See docs/team.md.
 */
import { isRecord } from '../formats/json.ts';
import type { TeamAccount, TeamBudget } from '../rules/teamAccount.ts';
import { readNumber } from './amount.ts';
import { readText } from './members.ts';

/** @returns undefined if this is not the balance of a key of a team's gateway. */
export function readTeamAccount(body: unknown): TeamAccount | undefined {
  if (!isRecord(body) || body.object !== 'balance' || !isRecord(body.key) || !Array.isArray(body.budgets))
    return undefined;
  const [id, name] = [readText(body.key.id), readText(body.key.name)];
  if (id === undefined || name === undefined) return undefined;
  const team = readTeam(body.team);
  return {
    key: { id, name },
    ...(team !== undefined && { team }),
    usedToday: readNumber(body.used_today) ?? 0,
    budgets: body.budgets.flatMap(readBudget),
  };
}

function readTeam(team: unknown): TeamAccount['team'] {
  const name = isRecord(team) ? readText(team.name) : undefined;
  if (!isRecord(team) || name === undefined) return undefined;
  return { name, keys: readNumber(team.keys) ?? 1, dailyAverage: readNumber(team.daily_average) ?? 0 };
}

function readBudget(budget: unknown): TeamBudget[] {
  if (!isRecord(budget)) return [];
  const unit = isRecord(budget.tokens) ? 'tokens' : 'usd';
  const figures = isRecord(budget.tokens) ? budget.tokens : budget;
  const [granted, used] = [readNumber(figures.granted), readNumber(figures.used)];
  if (granted === undefined || used === undefined) return [];
  const renewsAt = Date.parse(readText(budget.renews_at) ?? '');
  const usedByKey = readNumber(budget.used_by_key);
  return [
    {
      of: budget.of === 'team' ? 'team' : 'key',
      unit,
      period: budget.period === 'monthly' || budget.period === 'daily' ? budget.period : 'total',
      ...{ granted, used, reserved: readNumber(figures.reserved) ?? 0, remaining: Math.max(0, granted - used) },
      ...(!Number.isNaN(renewsAt) && { renewsAt }),
      ...(usedByKey !== undefined && { usedByKey }),
    },
  ];
}
