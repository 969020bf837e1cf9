/** Asks for the request limits of a local key. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import { type KeyLimits, LIMIT_NAMES } from '../../gateway/core/keyLimits.ts';
import type { KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { checkedTerms } from '../../gateway/keys/keyTerms.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import { problemOf } from './askTerms.ts';

type Asked = keyof KeyLimits;

const ASKED: readonly Asked[] = [...LIMIT_NAMES, 'sessionDollars'];

/** Asks for changed limits of a key: the user sets, changes, or removes one of them. */
export async function askLimits(title: string, now: KeyLimits): Promise<Pick<KeyTerms, 'limits'> | undefined> {
  const items = ASKED.map((limit) => {
    const figure = now[limit];
    const description = figure === undefined ? l10n.t('none') : figureText(limit, figure);
    return { label: limitName(limit), description, limit };
  });
  const placeHolder = l10n.t('Which limit do you want to change? All limits apply.');
  const choice = await vscode.window.showQuickPick(items, { title, placeHolder });
  return choice && askFigure(title, choice.limit, now);
}

async function askFigure(title: string, limit: Asked, now: KeyLimits): Promise<Pick<KeyTerms, 'limits'> | undefined> {
  const limitsWith = (value: string): KeyLimits => ({ ...now, [limit]: value.trim() === '' ? 0 : numberIn(value) });
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('{0}; leave empty for no limit', limitName(limit)),
    placeHolder: EXAMPLES[limit],
    value: String(now[limit] ?? ''),
    ignoreFocusOut: true,
    validateInput: (value) => problemOf(() => checkedTerms({ limits: limitsWith(value) }, 0)),
  });
  if (text === undefined) return undefined;
  const { limits } = checkedTerms({ limits: limitsWith(text) }, 0);
  return limits === undefined ? {} : { limits };
}

const EXAMPLES: Readonly<Record<Asked, string>> = {
  parallel: '2',
  requestsPerMinute: '60',
  tokensPerMinute: '200000',
  sessionDollars: '5',
};

function limitName(limit: Asked): string {
  switch (limit) {
    case 'parallel':
      return l10n.t('Parallel requests');
    case 'requestsPerMinute':
      return l10n.t('Requests per minute');
    case 'tokensPerMinute':
      return l10n.t('Tokens per minute');
    case 'sessionDollars':
      return l10n.t('Dollars per session');
  }
}

function figureText(limit: Asked, figure: number): string {
  return limit === 'sessionDollars' ? formatBalance(figure) : formatTokensExact(figure);
}
