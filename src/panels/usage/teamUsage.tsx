import * as l10n from '@vscode/l10n';
import { formatBalance, formatSum } from '../../display/money.ts';
import { budgetName, leftOf, resetText, usedOf } from '../../display/teamBudget.ts';
import { formatShare } from '../../display/tokens.ts';
import type { TeamUsage, UsageState } from '../../pages/usage/protocol.ts';
import { type TeamAccount, type TeamBudget, tightestBudget } from '../../rules/teamAccount.ts';
import { Icon } from '../shared/icon.tsx';
import { Note } from '../shared/note.tsx';
import { ModelTable } from './modelTable.tsx';
import { ProblemCard } from './problemCard.tsx';
import { SpendPlot } from './spendPlot.tsx';
import { useStore } from './store.ts';

/** Used from this share on, a budget is nearly spent. */
const WARNING_SHARE = 0.8;

/** Whose requests the page shows. */
export function TeamLine({ team: { account, host } }: { readonly team: TeamUsage }) {
  const { key, team } = account;
  return (
    <p class="team-line">
      {team !== undefined && <Icon name="organization" size={14} />}
      {team !== undefined && <strong>{team.name}</strong>}
      <span>{host}</span>
      <span>
        {l10n.t('My key')} <strong>{key.name}</strong>
      </span>
      <span>{l10n.t('Only requests of this key are shown')}</span>
    </p>
  );
}

/** The budgets of the key and its team, and which one is used up first. */
export function Budgets({ account }: { readonly account: TeamAccount }) {
  if (account.budgets.length === 0) return <p class="quiet">{l10n.t('No budget')}</p>;
  return (
    <>
      <div class="row halves budgets">
        {account.budgets.map((budget) => (
          <Budget key={`${budget.of} ${budget.unit} ${budget.period}`} budget={budget} account={account} />
        ))}
      </div>
      <ShortBudget account={account} />
    </>
  );
}

function Budget({ budget, account }: { readonly budget: TeamBudget; readonly account: TeamAccount }) {
  const { granted, used, remaining, usedByKey = used } = budget;
  const share = (part: number) => `${Math.min(100, (100 * part) / granted)}%`;
  return (
    <section class="budget" aria-label={budgetName(budget, account)}>
      <div class="budget-head">
        <h2>{budgetName(budget, account)}</h2>
        {isNearlySpent(budget) && (
          <span class="budget-warning">
            <Icon name="warning" size={14} />
            {remaining > 0 ? l10n.t('almost used up') : l10n.t('used up')}
          </span>
        )}
        <span class="quiet">{resetText(budget)}</span>
      </div>
      <div
        class="budget-bar"
        role="progressbar"
        aria-valuenow={Math.min(100, Math.round((100 * used) / granted))}
        aria-valuetext={usedOf(budget)}
        aria-label={budgetName(budget, account)}
      >
        <i class="own" style={{ width: share(usedByKey) }} />
        <i class="others" style={{ width: share(used - usedByKey) }} />
      </div>
      <div class="budget-foot number">
        <span>{[usedOf(budget), partsText(budget, account)].filter((part) => part !== '').join(' · ')}</span>
        <span>{l10n.t('{0} left', leftOf(budget))}</span>
      </div>
    </section>
  );
}

/** The key's part of the team's budget, and the sum of all other keys, which are never named. */
function partsText({ of, unit, used, usedByKey }: TeamBudget, { team }: TeamAccount): string {
  if (of !== 'team' || unit !== 'usd' || usedByKey === undefined || team === undefined) return '';
  const others = formatSum(Math.max(0, used - usedByKey));
  return l10n.t('you {0}, {1} other keys {2}', formatSum(usedByKey), Math.max(0, team.keys - 1), others);
}

function isNearlySpent({ used, granted }: TeamBudget): boolean {
  return used >= WARNING_SHARE * granted;
}

/** Shown when the tightest budget is nearly spent, or when the team has less left than the key. */
function ShortBudget({ account }: { readonly account: TeamAccount }) {
  const budget = tightestBudget(account);
  const own = account.budgets.some(({ of, unit }) => of === 'key' && unit === budget?.unit);
  if (budget === undefined || budget.unit !== 'usd') return null;
  const teamIsShort = budget.of === 'team' && own;
  if (!isNearlySpent(budget) && !teamIsShort) return null;
  const left = formatBalance(budget.remaining);
  return (
    <Note kind="warning" role="status">
      <p class="card-text">
        {teamIsShort
          ? l10n.t('{0} is left for you: the team budget ends before your key. A request needs both.', left)
          : l10n.t('{0} is left for you.', left)}
      </p>
    </Note>
  );
}

/** The key's usage as its team's gateway has recorded it. */
export function TeamReport({ team }: { readonly team: TeamUsage }) {
  const { report, problem } = team;
  const { colors } = useStore();
  if (problem !== undefined)
    return <ProblemCard title={l10n.t('Could not read the usage from the gateway')} problem={problem} />;
  if (report === undefined) return null;
  const series = colors.of(report.models);
  return (
    <>
      <SpendPlot report={report} series={series} isElsewhere />
      {report.totals.exchanges > 0 && <ModelTable report={report} series={series} isElsewhere />}
    </>
  );
}

/** The key's share of what its team has spent in the same period, if a budget of the team covers it. */
export function shareOfTeam({ team, choice }: UsageState): string | undefined {
  const budget = team?.account.budgets.find(
    ({ of, unit, period }) => of === 'team' && unit === 'usd' && period === 'monthly',
  );
  if (choice.kind !== 'month' || budget?.usedByKey === undefined || budget.used === 0) return undefined;
  return l10n.t('{0} of the team', formatShare(budget.usedByKey / budget.used));
}
