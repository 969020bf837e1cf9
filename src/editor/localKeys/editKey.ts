import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../formats/json.ts';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { askLimits } from './askLimits.ts';
import { askBudgets, askExpiry, askModels, askName } from './askTerms.ts';
import { budgetText, expiryText, requestLimitsText } from './keyText.ts';

/** Asks what to change and for the new value. Other terms stay, and the change applies immediately. */
export async function editKey(key: IssuedKey, localKeys: LocalKeyStore, modelNames: readonly string[]): Promise<void> {
  const title = l10n.t('Local key “{0}”', key.name);
  const { budgets, limits, models } = key;
  const terms = termsOf(key);
  const change = (to: KeyTerms) => localKeys.change(key.id, key.name, to);
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
        if (name !== undefined) await localKeys.change(key.id, name, terms);
      },
    },
    {
      label: l10n.t('Budgets'),
      description: budgets === undefined ? l10n.t('none') : budgets.map(budgetText).join(' · '),
      run: () => editBudgets(key, localKeys),
    },
    {
      label: l10n.t('Request limits'),
      description: requestLimitsText(key).join(' · ') || l10n.t('none'),
      run: async () => {
        const asked = await askLimits(title, limits ?? {});
        const { limits: _, ...others } = terms;
        if (asked !== undefined) await change({ ...others, ...asked });
      },
    },
    {
      label: l10n.t('Expiry'),
      description: expiryText(key, Date.now()) ?? l10n.t('none'),
      run: async () => {
        const asked = await askExpiry(title);
        const { expiresAt: _, ...others } = terms;
        if (asked !== undefined) await change({ ...others, ...asked });
      },
    },
    {
      label: l10n.t('Models'),
      description: models === undefined ? l10n.t('all') : models.join(', '),
      run: async () => {
        const asked = await askModels(title, modelNames, models);
        const { models: _, ...others } = terms;
        if (asked !== undefined) await change({ ...others, ...asked });
      },
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
  const { budgets: _, ...others } = termsOf(key);
  if (asked !== undefined) await localKeys.change(key.id, key.name, { ...others, ...asked });
}

function termsOf({ budgets, limits, expiresAt, models }: IssuedKey): KeyTerms {
  return defined({ budgets, limits, expiresAt, models });
}
