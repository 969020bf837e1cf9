import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import { defined } from '../../formats/json.ts';
import { ALL_LIMIT_NAMES, type KeyLimits } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { checkedTerms } from '../../gateway/keys/keyTerms.ts';
import { budgetText, expiryText, requestLimitsText } from '../../pages/localKey/keyText.ts';
import { SECRET_POLICIES, type SecretPolicy } from '../../rules/secretPolicy.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { askBudgets, askExpiry, askModels, askName, problemOf } from './askTerms.ts';

/** Asks what to change and for the new value. Other terms stay, and the change applies immediately. */
export async function editKey(key: IssuedKey, localKeys: LocalKeyStore, modelNames: readonly string[]): Promise<void> {
  const title = l10n.t('Local key “{0}”', key.name);
  const { budgets, limits, models } = key;
  const change = (term: keyof KeyTerms, asked: KeyTerms | undefined) => changeTerm(key, term, asked, localKeys);
  const items = [
    {
      label: l10n.t('Name'),
      description: key.name,
      run: async () => {
        const others = (await localKeys.read()).keys.filter(({ id }) => id !== key.id);
        const name = await askName(
          title,
          others.map((other) => other.name),
          key.name,
        );
        if (name !== undefined) await localKeys.change(key.id, name, key, key);
      },
    },
    {
      label: l10n.t('Budgets'),
      description: budgets === undefined ? l10n.t('none') : budgets.map(budgetText).join(' · '),
      run: () => editBudgets(key, localKeys),
    },
    {
      label: l10n.t('Lower output limits to what the budgets cover'),
      description: key.lowersLimits === true ? l10n.t('On') : l10n.t('Off'),
      run: () => change('lowersLimits', { lowersLimits: key.lowersLimits !== true }),
    },
    {
      label: l10n.t('Request limits'),
      description: requestLimitsText(key).join(' · ') || l10n.t('none'),
      run: async () => change('limits', await askLimits(title, limits ?? {})),
    },
    {
      label: l10n.t('Expiry'),
      description: expiryText(key, Date.now()) ?? l10n.t('none'),
      run: async () => change('expiresAt', await askExpiry(title)),
    },
    {
      label: l10n.t('Secrets'),
      description: secretPolicyName(key.secrets),
      run: async () => {
        const policies = [undefined, ...SECRET_POLICIES];
        const choices = policies.map((secrets) => ({ label: secretPolicyName(secrets), secrets }));
        const chosen = await vscode.window.showQuickPick(choices, { title });
        await change('secrets', chosen && defined({ secrets: chosen.secrets }));
      },
    },
    {
      label: l10n.t('Models'),
      description: models === undefined ? l10n.t('all') : models.join(', '),
      run: async () => change('models', await askModels(title, modelNames, models)),
    },
  ];
  const choice = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('What do you want to change?'),
  });
  await choice?.run();
}

/** Sets, changes, or removes one of the key's budgets. */
export async function editBudgets(key: IssuedKey, localKeys: LocalKeyStore): Promise<void> {
  const asked = await askBudgets(l10n.t('Local key “{0}”', key.name), key.budgets ?? []);
  await changeTerm(key, 'budgets', asked, localKeys);
}

/**
 * Changes one term. What was changed elsewhere while the user was asked stays, also other budgets and limits.
 * @param asked undefined if the user has canceled; without the term if it is removed.
 */
async function changeTerm(
  key: IssuedKey,
  term: keyof KeyTerms,
  asked: KeyTerms | undefined,
  localKeys: LocalKeyStore,
): Promise<void> {
  if (asked === undefined) return;
  const { [term]: _, ...others } = key;
  await localKeys.change(key.id, key.name, { ...others, ...asked }, key);
}

function secretPolicyName(policy: SecretPolicy | undefined): string {
  switch (policy) {
    case undefined:
      return l10n.t('Default');
    case 'off':
      return l10n.t('Off');
    case 'report':
      return l10n.t('Report');
    case 'seal':
      return l10n.t('Seal');
    case 'refuse':
      return l10n.t('Refuse');
  }
}

type EditedLimit = keyof KeyLimits;

/** Asks for changed limits of a key: the user sets, changes, or removes one of them. */
async function askLimits(title: string, now: KeyLimits): Promise<Pick<KeyTerms, 'limits'> | undefined> {
  const items = ALL_LIMIT_NAMES.map((limit) => {
    const figure = now[limit];
    const description = figure === undefined ? l10n.t('none') : figureText(limit, figure);
    return { label: limitName(limit), description, limit };
  });
  const placeHolder = l10n.t('Which limit do you want to change? All limits apply.');
  const choice = await vscode.window.showQuickPick(items, { title, placeHolder });
  return choice && askFigure(title, choice.limit, now);
}

async function askFigure(
  title: string,
  limit: EditedLimit,
  now: KeyLimits,
): Promise<Pick<KeyTerms, 'limits'> | undefined> {
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

const EXAMPLES: Readonly<Record<EditedLimit, string>> = {
  parallel: '2',
  requestsPerMinute: '60',
  tokensPerMinute: '200000',
  sessionDollars: '5',
};

function limitName(limit: EditedLimit): string {
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

function figureText(limit: EditedLimit, figure: number): string {
  return limit === 'sessionDollars' ? formatBalance(figure) : formatTokensExact(figure);
}
