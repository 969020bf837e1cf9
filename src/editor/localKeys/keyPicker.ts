import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { expiryText, requestLimitsText, spendText } from '../../pages/localKey/keyText.ts';

interface KeyItem extends vscode.QuickPickItem {
  readonly value: IssuedKey | 'create';
}

export interface PickerOptions {
  /** The spending to show with each key. */
  readonly spend?: readonly KeySpend[];
  readonly offersCreation?: boolean;
}

/** Lets the user choose a key, or create one if that is offered. */
export async function pickKey(
  keys: readonly IssuedKey[],
  { spend = [], offersCreation = false }: PickerOptions = {},
): Promise<IssuedKey | 'create' | undefined> {
  const items: KeyItem[] = keys.map((key) =>
    itemOf(
      key,
      spend.find(({ id }) => id === key.id),
    ),
  );
  if (offersCreation) items.push({ label: `$(add) ${l10n.t('Create local key…')}`, value: 'create' });
  const placeHolder =
    keys.length === 0 ? l10n.t('There are no local keys') : l10n.t('Keys that grant other tools access to the gateway');
  const options = { title: l10n.t('Local keys'), placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.value;
}

function itemOf(key: IssuedKey, spend: KeySpend | undefined): KeyItem {
  const facts = [spendText(key, spend), ...requestLimitsText(key), expiryText(key, Date.now()), key.models?.join(', ')];
  const description = facts.filter((fact) => fact !== undefined).join(' · ');
  return { label: `$(key) ${key.name}`, description, value: key };
}
