import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dayOf } from '../../display/day.ts';
import { formatShare } from '../../display/tokens.ts';
import type { KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { budgetStatuses, WARNING_SHARE } from '../../pages/localKey/budgetStatus.ts';
import { budgetName } from '../../pages/localKey/keyText.ts';
import type { BudgetPeriod } from '../../rules/period.ts';

/** The memento's key for warnings already shown: for each key and kind of period, the period in which it was shown. */
const STATE_KEY = 'modelAccess.keyBudgetNotices';
const MAX_NAME_LENGTH = 20;

/** The texts for a budget that is nearly spent or used up. */
export interface KeyBudgetWarning {
  /** The key's ID. */
  readonly id: string;
  readonly period: BudgetPeriod;
  /** The text for the status bar: `aider 82%`. */
  readonly short: string;
  /** A full sentence. */
  readonly long: string;
}

/** The budgets that are nearly spent or used up, the largest share first. */
export function warningsOf(keys: readonly KeyDetails[], spend: readonly KeySpend[]): KeyBudgetWarning[] {
  return keys
    .flatMap((key) => {
      const ofKey = spend.find(({ id }) => id === key.id);
      return budgetStatuses(key, ofKey).map((status) => ({ key, ...status }));
    })
    .filter(({ share }) => share >= WARNING_SHARE)
    .sort((a, b) => b.share - a.share)
    .map(({ key: { id, name }, budget: { period }, share }) => ({
      id,
      period,
      short: `${shortened(name)} ${formatShare(share)}`,
      long: warningText(name, period, share),
    }));
}

function warningText(name: string, period: BudgetPeriod, share: number): string {
  return share >= 1
    ? l10n.t('Local key “{0}”: the {1} is used up. Its requests are refused.', name, budgetName(period))
    : l10n.t('Local key “{0}”: {1} of the {2} has been spent.', name, formatShare(share), budgetName(period));
}

/**
 * Shows each warning once per period, in the focused window.
 * @param memory State shared by all windows.
 */
export async function showOnce(warnings: readonly KeyBudgetWarning[], memory: vscode.Memento): Promise<void> {
  const shown = memory.get<Readonly<Record<string, string>>>(STATE_KEY) ?? {};
  const now = Date.now();
  const isNew = ({ id, period }: KeyBudgetWarning) => shown[`${id} ${period}`] !== periodName(period, now);
  const [first, ...others] = warnings.filter(isNew);
  if (first === undefined || !vscode.window.state.focused) return;
  const names = [first, ...others].map(({ id, period }) => [`${id} ${period}`, periodName(period, now)] as const);
  await memory.update(STATE_KEY, { ...shown, ...Object.fromEntries(names) });
  const change = l10n.t('Change Budget');
  const message = [first, ...others].map(({ long }) => long).join(' ');
  const choice = await vscode.window.showWarningMessage(message, change);
  if (choice === change) await vscode.commands.executeCommand('modelAccess.changeKeyBudgets', { subject: first.id });
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/**
 * Returns a name that is unique for the current day or month in the machine's time zone.
 * @param now In milliseconds since the epoch.
 */
function periodName(period: BudgetPeriod, now: number): string {
  switch (period) {
    case 'total':
      return period;
    case 'daily':
      return dayOf(now);
    case 'monthly':
      return dayOf(now).slice(0, 'YYYY-MM'.length);
  }
}
