/** Rows for local keys: their spending and budgets, and when they were last used. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatWhen } from '../../display/time.ts';
import { formatShare } from '../../display/tokens.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { type BudgetStatus, budgetStatuses, resetText, WARNING_SHARE } from '../../pages/localKey/budgetStatus.ts';
import {
  budgetName,
  limitsText,
  requestLimitsText,
  spendText,
  spentCostText,
  spentOfText,
  unconfirmedText,
} from '../../pages/localKey/keyText.ts';
import { type Row, warningIcon } from '../rows/row.ts';
import type { OpenSession } from './cappedSessions.ts';
import { type LimitedKey, limitRows, sessionCapRow } from './limitRows.ts';

const MASKED_TAIL = 4;
/** The view updates relative times once a minute. */
const MINUTE_MS = 60_000;
/** The share of a budget from which it has a row. */
const SHOWN_SHARE = 0.01;

type KeyState = 'usual' | 'nearly' | 'spent' | 'expired';

/**
 * @param spend Undefined if the ledger could not be read.
 * @param sessions Its latest sessions if it has a session cap.
 */
export function keyRow(
  limited: LimitedKey,
  spend: KeySpend | undefined,
  sessions: readonly OpenSession[],
  now: number,
): Row {
  const { key, waiting } = limited;
  const { id, name } = key;
  const standings = budgetStatuses(key, spend);
  const [tightest] = standings;
  const state = stateOf(key, tightest?.share, now);
  const use = useText(spend, now);
  const word = WORDS[state]?.();
  const queue = waiting.length === 0 ? undefined : l10n.t('{0} waiting', waiting.length);
  const ended = endedText(sessions);
  const cap = sessionCapRow(key, sessions);
  const budgets = budgetRows(key, standings, use, now);
  const facts = [amountText(standings, spend), word, queue, ended, ...(budgets.length === 0 ? [use] : [])];
  const children = [...budgets, ...(cap === undefined ? [] : [cap]), ...limitRows(limited)];
  return {
    id: `key:${id}`,
    label: name,
    description: facts.filter((fact) => fact !== undefined).join(' · '),
    tooltip: tooltipOf(key, spend, use, now),
    icon: ICONS[state](),
    kind: 'localKey',
    subject: id,
    traffic: { localKeyId: id },
    spoken: [name, spendText(key, spend), word, queue, ended, ...requestLimitsText(key), use]
      .filter((part) => part !== undefined)
      .join(', '),
    ...(children.length > 0 && { children }),
  };
}

/** A text such as `2 sessions ended`, as long as they are listed. */
function endedText(sessions: readonly OpenSession[]): string | undefined {
  const ended = sessions.filter(({ isEnded }) => isEnded).length;
  if (ended === 0) return undefined;
  return ended === 1 ? l10n.t('1 session ended') : l10n.t('{0} sessions ended', ended);
}

const WORDS: Readonly<Partial<Record<KeyState, () => string>>> = {
  nearly: () => l10n.t('almost used up'),
  spent: () => l10n.t('paused'),
  expired: () => l10n.t('expired'),
};

const ICONS: Readonly<Record<KeyState, () => vscode.ThemeIcon>> = {
  usual: () => new vscode.ThemeIcon('key'),
  nearly: warningIcon,
  spent: () => new vscode.ThemeIcon('debug-pause', new vscode.ThemeColor('list.errorForeground')),
  expired: () => new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('list.errorForeground')),
};

function stateOf({ expiresAt }: IssuedKey, share: number | undefined, now: number): KeyState {
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (share === undefined || share < WARNING_SHARE) return 'usual';
  return share < 1 ? 'nearly' : 'spent';
}

/**
 * An amount such as `$7.42 of $10.00`, `1,284 of 200,000 tokens`, or `$0.31, no budget`, with the period in the
 * tooltip. With several budgets, the one with the least left, and its period.
 */
function amountText(standings: readonly BudgetStatus[], spend: KeySpend | undefined): string | undefined {
  const [tightest] = standings;
  if (tightest !== undefined) return standings.length === 1 ? spentOfText(tightest) : periodText(tightest);
  const total = spend?.spent.total;
  return total === undefined ? undefined : l10n.t('{0}, no budget', spentCostText(total));
}

const PERIOD_TEXTS: Readonly<Record<BudgetStatus['budget']['period'], (amounts: string) => string>> = {
  total: (amounts) => l10n.t('{0} in total', amounts),
  daily: (amounts) => l10n.t('{0} today', amounts),
  monthly: (amounts) => l10n.t('{0} this month', amounts),
};

/** A text such as `$7.42 of $10.00 this month`. */
function periodText(status: BudgetStatus): string {
  return PERIOD_TEXTS[status.budget.period](spentOfText(status));
}

function useText(spend: KeySpend | undefined, now: number): string | undefined {
  if (spend === undefined) return undefined;
  if (spend.lastUsedAt === undefined) return l10n.t('never used');
  const isNow = now - spend.lastUsedAt < MINUTE_MS;
  return l10n.t('used {0}', formatWhen(isNow ? now : spend.lastUsedAt, now));
}

/**
 * One row for each budget that is used noticeably; the tooltip of the key has them all. The row of the only budget shows its
 * share and the last use; each of several its period and its share.
 */
function budgetRows(key: IssuedKey, standings: readonly BudgetStatus[], use: string | undefined, now: number): Row[] {
  const used = standings.filter(({ share }) => share >= SHOWN_SHARE);
  return used.map((status) => {
    const share = formatShare(status.share);
    const row = budgetRow(key, status, standings.length === 1 ? use : periodText(status), now);
    return standings.length === 1
      ? { ...row, label: l10n.t('{0} of the budget', share), ...(use !== undefined && { description: use }) }
      : { ...row, label: periodText(status), description: share };
  });
}

function budgetRow(
  { id, name }: IssuedKey,
  { budget, share }: BudgetStatus,
  aside: string | undefined,
  now: number,
): Omit<Row, 'label'> {
  const facts = [`${budgetName(budget.period)}: ${formatShare(share)}`, resetText([budget.period], now)];
  const status = facts.filter((fact) => fact !== undefined).join(' · ');
  return {
    id: `key:${id}:${budget.period}`,
    tooltip: status,
    spoken: [name, status, aside].filter((part) => part !== undefined).join(', '),
    kind: 'localKeyBudget',
    subject: id,
  };
}

function tooltipOf(key: IssuedKey, spend: KeySpend | undefined, use: string | undefined, now: number): string {
  const secret = `key_…${key.secret.slice(-MASKED_TAIL)}`;
  const made = l10n.t('created {0}', formatWhen(key.rotatedAt ?? key.createdAt, now));
  const spending = [spendText(key, spend), unconfirmedText(spend)];
  const lines = [key.name, `${secret} · ${made}`, ...spending, ...limitsText(key, now), use];
  return lines.filter((line) => line !== undefined).join('\n');
}
