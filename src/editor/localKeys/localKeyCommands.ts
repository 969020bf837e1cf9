import * as vscode from 'vscode';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import type { CommandTable } from '../commands/commands.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { askBudget, askExpiry, askModels, askName } from './askTerms.ts';
import { editKey } from './editKey.ts';
import { pickKey } from './keyPicker.ts';
import type { KeySpending } from './keySpending.ts';
import { limitsText } from './keyText.ts';

export interface LocalKeyServices {
  readonly localKeys: LocalKeyStore;
  readonly spending: KeySpending;
  /** Names of the models that are known now. */
  readonly modelNames: () => readonly string[];
}

export function localKeyCommands(services: LocalKeyServices): CommandTable {
  const { localKeys } = services;
  return {
    'modelAccess.createLocalKey': { run: () => createKey(services) },
    'modelAccess.manageLocalKeys': { run: () => manageKeys(services) },
    'modelAccess.copyGatewayKey': { run: () => copyOneOf(localKeys) },
    'modelAccess.rotateGatewayKey': { run: () => rotateOneOf(localKeys) },
  };
}

const COPY_KEY = 'Copy Key';
const CREATE_TITLE = 'Create local key';

async function createKey({ localKeys, modelNames }: LocalKeyServices): Promise<void> {
  const { keys } = await localKeys.read();
  const name = await askName(
    CREATE_TITLE,
    keys.map((key) => key.name),
  );
  if (name === undefined) return;
  const terms = await askTerms(modelNames());
  if (terms === undefined) return;
  const key = await localKeys.create(name, terms);
  const limits = limitsText(key, Date.now());
  const message = `The local key “${key.name}” opens the gateway${limits.length === 0 ? '' : `: ${limits.join(', ')}`}.`;
  if ((await vscode.window.showInformationMessage(message, COPY_KEY)) === COPY_KEY) await copy(key);
}

async function askTerms(modelNames: readonly string[]): Promise<KeyTerms | undefined> {
  const budget = await askBudget(CREATE_TITLE);
  const expiry = budget && (await askExpiry(CREATE_TITLE));
  const models = expiry && (await askModels(CREATE_TITLE, modelNames));
  return models && { ...budget, ...expiry, ...models };
}

async function manageKeys(services: LocalKeyServices): Promise<void> {
  const { localKeys, spending } = services;
  const list = await readOrReset(localKeys);
  if (list === undefined) return;
  const picked = await pickKey(list.keys, { spend: await spending.read(list.keys), offersCreation: true });
  if (picked === 'create') await createKey(services);
  else if (picked !== undefined) await manageKey(picked, services);
}

/** Keys that cannot be read any more can only be given up. */
async function readOrReset(localKeys: LocalKeyStore) {
  try {
    return await localKeys.read();
  } catch (error) {
    if (!(error instanceof LocalKeyError)) throw error;
    const remove = 'Remove All Keys';
    if ((await vscode.window.showErrorMessage(error.message, remove)) === remove) await localKeys.reset();
    return undefined;
  }
}

async function manageKey(key: IssuedKey, { localKeys, modelNames }: LocalKeyServices): Promise<void> {
  const items = [
    { label: '$(copy) Copy key', run: () => copy(key) },
    { label: '$(eye) Show key', run: () => show(key) },
    { label: '$(edit) Change name or limits…', run: () => editKey(key, localKeys, modelNames()) },
    { label: '$(sync) Replace by a new secret…', run: () => rotate(key, localKeys) },
    { label: '$(trash) Revoke…', run: () => revoke(key, localKeys) },
  ];
  const placeHolder = limitsText(key, Date.now()).join(' · ') || 'No limits';
  const choice = await vscode.window.showQuickPick(items, { title: `Local key “${key.name}”`, placeHolder });
  await choice?.run();
}

async function copyOneOf(localKeys: LocalKeyStore): Promise<void> {
  const key = await oneOf(localKeys);
  if (key !== undefined) await copy(key);
}

async function rotateOneOf(localKeys: LocalKeyStore): Promise<void> {
  const key = await oneOf(localKeys);
  if (key !== undefined) await rotate(key, localKeys);
}

/** The only one, or the one that the person chooses. */
async function oneOf(localKeys: LocalKeyStore): Promise<IssuedKey | undefined> {
  const { keys } = await localKeys.read();
  if (keys.length === 0) throw new Error('There is no local key. Create one first.');
  if (keys.length === 1) return keys[0];
  const picked = await pickKey(keys);
  return picked === 'create' ? undefined : picked;
}

async function copy({ secret }: IssuedKey): Promise<void> {
  await vscode.env.clipboard.writeText(secret);
  vscode.window.setStatusBarMessage('Local key copied', 3000);
}

/** A dialog leaves nothing behind; notifications stay in their list. */
async function show(key: IssuedKey): Promise<void> {
  const options = { modal: true, detail: key.secret };
  if ((await vscode.window.showInformationMessage(`Local key “${key.name}”`, options, COPY_KEY)) === COPY_KEY) {
    await copy(key);
  }
}

async function rotate({ id, name }: IssuedKey, localKeys: LocalKeyStore): Promise<void> {
  const detail = 'Every tool that uses it needs the new one; what runs with the present one ends now.';
  const message = `Make a new secret for the local key “${name}”?`;
  const choice = await vscode.window.showWarningMessage(message, { modal: true, detail }, 'Make New Key');
  if (choice !== undefined) await copy(await localKeys.rotate(id));
}

async function revoke({ id, name }: IssuedKey, localKeys: LocalKeyStore): Promise<void> {
  const detail = 'It opens the gateway no longer, and what runs with it ends now. This cannot be taken back.';
  const choice = await vscode.window.showWarningMessage(
    `Revoke the local key “${name}”?`,
    { modal: true, detail },
    'Revoke',
  );
  if (choice === undefined) return;
  await localKeys.revoke(id);
  vscode.window.setStatusBarMessage(`Local key “${name}” revoked`, 3000);
}
