import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { expiryText, limitsText, requestLimitsText, spendText } from '../../pages/localKey/keyText.ts';
import type { BaseServices } from '../baseServices.ts';
import { copyText, showDone } from '../doneMessage.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { subjectOf } from '../rows/row.ts';
import type { EditedKey } from './keyPage/keyPage.ts';
import type { KeySpending } from './keySpending.ts';

export interface LocalKeyServices extends Pick<BaseServices, 'localKeys'> {
  readonly spending: KeySpending;
  /** Opens the page that changes a key, or creates one. */
  readonly openKeyPage: (edited?: EditedKey) => Promise<void>;
}

export type LocalKeyActions = ReturnType<typeof localKeyActions>;

/** The actions on local keys. `row` is the row of a view that represents one of them. */
export function localKeyActions(services: LocalKeyServices) {
  const { localKeys, openKeyPage } = services;
  return {
    manage: () => manageKeys(services),
    copy: (row: unknown) => withKey(row, localKeys, copy),
    rotate: (row: unknown) => withKey(row, localKeys, (key) => rotate(key, localKeys)),
    show: (row: unknown) => withKey(row, localKeys, show),
    change: (row: unknown) => withKey(row, localKeys, (key) => openKeyPage({ key, focus: 'name' })),
    changeBudgets: (row: unknown) => withKey(row, localKeys, (key) => openKeyPage({ key, focus: 'daily' })),
    revoke: (row: unknown) => withKey(row, localKeys, (key) => revoke(key, localKeys)),
  };
}

async function manageKeys(services: LocalKeyServices): Promise<void> {
  const { localKeys, spending } = services;
  const list = await readOrReset(localKeys);
  if (list === undefined) return;
  const picked = await pickKey(list.keys, { spend: await spending.read(list.keys), offersCreation: true });
  if (picked === 'create') await services.openKeyPage();
  else if (picked !== undefined) await manageKey(picked, services);
}

/** Reads the keys, or offers to discard them if they can no longer be read. */
async function readOrReset(localKeys: LocalKeyStore) {
  try {
    return await localKeys.read();
  } catch (error) {
    if (!(error instanceof LocalKeyError)) throw error;
    const remove = l10n.t('Remove All Keys');
    if ((await vscode.window.showErrorMessage(error.message, remove)) === remove) await localKeys.reset();
    return undefined;
  }
}

async function manageKey(key: IssuedKey, { localKeys, openKeyPage }: LocalKeyServices): Promise<void> {
  const items = [
    { label: `$(copy) ${l10n.t('Copy key')}`, run: () => copy(key) },
    { label: `$(eye) ${l10n.t('Show key')}`, run: () => show(key) },
    { label: `$(edit) ${l10n.t('Change name or limits…')}`, run: () => openKeyPage({ key, focus: 'name' }) },
    { label: `$(sync) ${l10n.t('Rotate key…')}`, run: () => rotate(key, localKeys) },
    { label: `$(trash) ${l10n.t('Revoke…')}`, run: () => revoke(key, localKeys) },
  ];
  const placeHolder = limitsText(key, Date.now()).join(' · ') || l10n.t('No limits');
  const choice = await vscode.window.showQuickPick(items, { title: l10n.t('Local key “{0}”', key.name), placeHolder });
  await choice?.run();
}

/** Runs the action for the key of the row that the command was called on. Without a row, the user is asked. */
async function withKey(row: unknown, localKeys: LocalKeyStore, run: (key: IssuedKey) => Promise<void>): Promise<void> {
  const subject = subjectOf(row);
  const { keys } = await localKeys.read();
  const key = keys.find(({ id }) => id === subject) ?? (await oneOf(keys));
  if (key !== undefined) await run(key);
}

/** Returns the only key, or the one that the user chooses. */
async function oneOf(keys: readonly IssuedKey[]): Promise<IssuedKey | undefined> {
  if (keys.length === 0) throw new Error(l10n.t('There is no local key. Create one first.'));
  if (keys.length === 1) return keys[0];
  const picked = await pickKey(keys);
  return picked === 'create' ? undefined : picked;
}

async function copy({ secret }: IssuedKey): Promise<void> {
  await copyText(secret, l10n.t('Local key copied'));
}

/** Uses a modal dialog, because notifications, and the secret with them, would stay in the notification list. */
async function show(key: IssuedKey): Promise<void> {
  const options = { modal: true, detail: key.secret };
  const copyKey = l10n.t('Copy Key');
  const choice = await vscode.window.showInformationMessage(l10n.t('Local key “{0}”', key.name), options, copyKey);
  if (choice === copyKey) await copy(key);
}

async function rotate({ id, name }: IssuedKey, localKeys: LocalKeyStore): Promise<void> {
  const detail = l10n.t(
    'Every tool that uses the key needs the new one. Requests in progress with the current key end now.',
  );
  const message = l10n.t('Rotate the local key “{0}”?', name);
  const choice = await vscode.window.showWarningMessage(message, { modal: true, detail }, l10n.t('Rotate Key'));
  if (choice !== undefined) await copy(await localKeys.rotate(id));
}

async function revoke({ id, name }: IssuedKey, localKeys: LocalKeyStore): Promise<void> {
  const detail = l10n.t(
    'The key no longer grants access to the gateway, and its requests in progress end now. You cannot undo this.',
  );
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Revoke the local key “{0}”?', name),
    { modal: true, detail },
    l10n.t('Revoke'),
  );
  if (choice === undefined) return;
  await localKeys.revoke(id);
  showDone(l10n.t('Local key “{0}” revoked', name));
}

interface KeyItem extends vscode.QuickPickItem {
  readonly value: IssuedKey | 'create';
}

interface PickerOptions {
  /** The spending to show with each key. */
  readonly spend?: readonly KeySpend[];
  readonly offersCreation?: boolean;
}

/** Lets the user choose a key, or create one if that is offered. */
async function pickKey(
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
