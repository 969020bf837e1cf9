/** Local keys as rows: what each has spent of its budget, and when it was used. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum } from '../../display/money.ts';
import { formatWhen } from '../../display/time.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { Budget, IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/keys/keySpend.ts';
import { limitsText, spendText } from '../localKeys/keyText.ts';
import type { Row } from '../rows/row.ts';
import { budgetBar } from './budgetBar.ts';

/** From this share of its budget on a key is said to be nearly spent. */
const NEARLY = 0.8;
const MASKED_TAIL = 4;

type KeyState = 'usual' | 'nearly' | 'spent' | 'expired';

/** @param spend absent when the ledger could not be read. */
export function keyRow(key: IssuedKey, spend: KeySpend | undefined, now: number): Row {
  const { id, name, budget } = key;
  const share = budget && spend && spentOf(budget, spend) / budget.amount;
  const state = stateOf(key, share, now);
  const use = useText(spend, now);
  const word = WORDS[state]?.();
  const facts = [amountText(budget, spend), word, ...(share === undefined ? [use] : [])];
  return {
    id: `key:${id}`,
    label: name,
    description: facts.filter((fact) => fact !== undefined).join(' · '),
    tooltip: tooltipOf(key, spend, use, now),
    icon: ICONS[state](),
    kind: 'localKey',
    subject: id,
    spoken: [name, spendText(key, spend), word, use].filter((part) => part !== undefined).join(', '),
    ...(share !== undefined && { children: [barRow(key, share, use)] }),
  };
}

const WORDS: Readonly<Partial<Record<KeyState, () => string>>> = {
  nearly: () => l10n.t('nearly spent'),
  spent: () => l10n.t('paused'),
  expired: () => l10n.t('expired'),
};

const ICONS: Readonly<Record<KeyState, () => vscode.ThemeIcon>> = {
  usual: () => new vscode.ThemeIcon('key'),
  nearly: () => new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
  spent: () => new vscode.ThemeIcon('debug-pause', new vscode.ThemeColor('list.errorForeground')),
  expired: () => new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('list.errorForeground')),
};

function stateOf({ expiresAt }: IssuedKey, share: number | undefined, now: number): KeyState {
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (share === undefined || share < NEARLY) return 'usual';
  return share < 1 ? 'nearly' : 'spent';
}

function spentOf({ unit }: Budget, { cost, tokens }: KeySpend): number {
  return unit === 'usd' ? cost : tokens;
}

/** `$7.42 of $10.00`, `1,284 of 200,000 tokens`, `$0.31, no budget`; the period is in the tooltip. */
function amountText(budget: Budget | undefined, spend: KeySpend | undefined): string | undefined {
  if (spend === undefined) return undefined;
  if (budget === undefined) return l10n.t('{0}, no budget', formatSum(spend.cost));
  if (budget.unit === 'usd') return l10n.t('{0} of {1}', formatSum(spend.cost), formatBalance(budget.amount));
  return l10n.t('{0} of {1} tokens', formatTokensExact(spend.tokens), formatTokensExact(budget.amount));
}

function useText(spend: KeySpend | undefined, now: number): string | undefined {
  if (spend === undefined) return undefined;
  if (spend.lastUsedAt === undefined) return l10n.t('never used');
  return l10n.t('used {0}', formatWhen(spend.lastUsedAt, now));
}

function barRow({ id, name }: IssuedKey, share: number, use: string | undefined): Row {
  return {
    id: `key:${id}:budget`,
    label: budgetBar(share),
    ...(use !== undefined && { description: use }),
    tooltip: l10n.t('{0} % of the budget', Math.floor(share * 100)),
    spoken: [l10n.t('{0}: {1} % of the budget', name, Math.floor(share * 100)), use].filter(Boolean).join(', '),
    kind: 'localKeyBudget',
    subject: id,
  };
}

function tooltipOf(key: IssuedKey, spend: KeySpend | undefined, use: string | undefined, now: number): string {
  const secret = `key_…${key.secret.slice(-MASKED_TAIL)}`;
  const made = l10n.t('made {0}', formatWhen(key.rotatedAt ?? key.createdAt, now));
  const lines = [key.name, `${secret} · ${made}`, spendText(key, spend), ...limitsText(key, now), use];
  return lines.filter((line) => line !== undefined).join('\n');
}
