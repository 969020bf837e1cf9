import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../../display/escapeMarkdown.ts';
import { formatMoney, formatSum } from '../../display/money.ts';
import { budgetFacts, budgetName } from '../../display/teamBudget.ts';
import { formatAgo } from '../../display/time.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { LimitState } from '../../limits/limitState.ts';
import { limitRows } from '../../limits/limitText.ts';
import { type TeamAccount, tightestBudget } from '../../rules/teamAccount.ts';
import type { Balance } from '../../service/balance.ts';
import { priceOf } from '../../tokens/price.ts';
import { commandLinks, hoverText, type StatusHover } from '../statusBar/statusSection.ts';
import type { BalanceState } from './balanceMonitor.ts';
import { budgetFigure, figure, money } from './balanceText.ts';

/** For how long requests of the editor's chat are shown. */
export const NATIVE_MINUTES = 10;

const COMMANDS = {
  refresh: 'modelAccess.refreshBalance',
  usage: 'modelAccess.openUsage',
  raw: 'modelAccess.showBalanceResponse',
  dashboard: 'modelAccess.openDashboard',
  sandboxMenu: 'modelAccess.sandboxMenu',
  setKey: 'modelAccess.setServiceKey',
  trySandbox: 'modelAccess.trySandbox',
  warning: 'modelAccess.setBalanceWarning',
  copyRequest: 'modelAccess.copyAdministratorRequest',
  copyKeyId: 'modelAccess.copyKeyId',
} as const;

export interface HoverParts {
  readonly hasDashboard: boolean;
  readonly limits: readonly LimitState[];
  /** The recent requests of the editor's own chat, which does not show what they cost. */
  readonly nativeChat: readonly LedgerEntry[];
}

/** The balance's details and actions. `now` is in milliseconds since the epoch. */
export function balanceHover(
  state: BalanceState,
  now: number,
  { hasDashboard, limits, nativeChat }: HoverParts,
): StatusHover {
  const commands = Object.values(COMMANDS);
  if (state.connection === 'none') {
    const links = commandLinks(
      [l10n.t('Set Service Key'), COMMANDS.setKey],
      [l10n.t('Try the Sandbox'), COMMANDS.trySandbox],
    );
    return { markdown: hoverText(l10n.t('**Model Access** is not connected.'), [], links), commands };
  }
  const title = `**${escapeMarkdown(titleOf(state))}**${checked(state, now)}`;
  const lines = [...rows(state), ...nativeRows(nativeChat), ...limitRows(limits).map(escapeMarkdown)];
  return { markdown: hoverText(title, lines, actions(state, hasDashboard)), commands };
}

/** What the last request of the editor's chat has cost, and those before it in the same minutes. */
function nativeRows(entries: readonly LedgerEntry[]): string[] {
  const costs = entries.map(({ usage, prices }) => (usage && prices && priceOf(usage, prices)) ?? 0);
  const last = costs.at(-1);
  if (last === undefined) return [];
  const sum = costs.reduce((total, cost) => total + cost, 0);
  return [
    escapeMarkdown(
      costs.length === 1
        ? l10n.t('Editor’s chat: {0} for the last request', formatMoney(last))
        : l10n.t(
            'Editor’s chat: {0} for the last request, {1} for {2} in {3} minutes',
            formatMoney(last),
            formatSum(sum),
            costs.length,
            NATIVE_MINUTES,
          ),
    ),
  ];
}

function titleOf({ connection, balance }: BalanceState): string {
  if (connection === 'sandbox') return l10n.t('Model Access, sandbox');
  return balance?.team?.team?.name ?? 'Model Access';
}

function rows(state: BalanceState): string[] {
  const { connection, balance, problem } = state;
  if (balance?.team !== undefined) return [...teamRows(balance.team, state.host), ...problemRows(problem)];
  const left = `**${escapeMarkdown(figure(balance))}**`;
  return [
    balance?.granted === undefined ? left : l10n.t('{0} of {1} left', left, money(balance.granted, balance.currency)),
    ...(connection === 'sandbox'
      ? [l10n.t('Sample answers and sample money, on this machine.')]
      : packageRows(balance)),
    ...(balance?.others ?? []).map(({ amount, currency }) => escapeMarkdown(money(amount, currency))),
    ...problemRows(problem),
  ];
}

/** The state of a package matters only if it is not the usual one. */
function packageRows(balance: Balance | undefined): string[] {
  const state = balance?.packageState === 'active' ? undefined : balance?.packageState;
  const facts = [balance?.packageName, state].filter((part) => part !== undefined);
  return facts.length === 0 ? [] : [l10n.t('Package: {0}', escapeMarkdown(facts.join(', ')))];
}

function problemRows(problem: string | undefined): string[] {
  return problem === undefined
    ? []
    : [`$(warning) ${l10n.t('Could not read the balance: {0}', escapeMarkdown(problem))}`];
}

/** The budgets of a key of a team's gateway, which its administrator sets. */
function teamRows(account: TeamAccount, host = ''): string[] {
  const { budgets, usedToday, team } = account;
  const tightest = tightestBudget(account);
  const ofTeam = budgets.find(({ of, unit }) => of === 'team' && unit === 'usd');
  const days = ofTeam === undefined || !team?.dailyAverage ? undefined : ofTeam.remaining / team.dailyAverage;
  return [
    `**${escapeMarkdown(budgetFigure(account))}**`,
    ...budgets.map((budget) => escapeMarkdown(`${budgetName(budget, account)}: ${budgetFacts(budget)}`)),
    escapeMarkdown(l10n.t('Today: {0}', formatSum(usedToday))),
    ...(tightest?.unit === 'usd' && tightest.reserved > 0
      ? [escapeMarkdown(l10n.t('Reserved by running requests: ≈ {0}', formatSum(tightest.reserved)))]
      : []),
    ...(days === undefined ? [] : [escapeMarkdown(l10n.t('At the team’s pace: {0}', lasting(days)))]),
    escapeMarkdown(l10n.t('Gateway: {0}', host)),
    l10n.t('The administrator of the gateway sets the budgets.'),
  ];
}

function lasting(days: number): string {
  if (days < 2) return l10n.t('about {0} hours', Math.round(days * 24));
  return days > 365 ? l10n.t('more than a year') : l10n.t('about {0} days', Math.round(days));
}

function actions({ connection, balance }: BalanceState, hasDashboard: boolean): string {
  const raw = [l10n.t('Raw response'), COMMANDS.raw] as const;
  const refresh = [l10n.t('Refresh'), COMMANDS.refresh] as const;
  const usage = [l10n.t('Usage'), COMMANDS.usage] as const;
  if (connection === 'sandbox')
    return commandLinks(usage, refresh, raw, [l10n.t('Sandbox menu'), COMMANDS.sandboxMenu]);
  const known = balance?.remaining !== undefined;
  if (balance?.team !== undefined) {
    const warning = known ? [[l10n.t('Set balance warning'), COMMANDS.warning] as const] : [];
    return commandLinks(
      usage,
      [l10n.t('Copy key ID'), COMMANDS.copyKeyId],
      [l10n.t('Copy request for administrator'), COMMANDS.copyRequest],
      ...warning,
      refresh,
      raw,
    );
  }
  return commandLinks(
    ...(hasDashboard ? [[l10n.t('Add credit'), COMMANDS.dashboard] as const] : []),
    usage,
    refresh,
    ...(known ? [[l10n.t('Set balance warning'), COMMANDS.warning] as const] : []),
    raw,
  );
}

function checked({ readAt }: BalanceState, now: number): string {
  return readAt === undefined ? '' : ` &nbsp; ${l10n.t('checked {0}', formatAgo(now - readAt))}`;
}
