import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errorText.ts';
import { ApiClient } from '../../service/apiClient.ts';
import { ApiKey } from '../../service/apiKey.ts';
import { baseAddressCandidates, normaliseBaseAddress } from '../../service/baseAddress.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { KEY_VARIABLE, type ServiceKeys } from './serviceKeys.ts';

export interface KeyCommandServices {
  readonly keys: ServiceKeys;
  readonly settings: Settings;
  readonly connection: ConnectionManager;
  readonly log: Log;
}

/** The dialogs about the service key. */
export function keyActions(services: KeyCommandServices) {
  return {
    set: () => setServiceKey(services),
    show: () => showServiceKey(services),
    remove: () => removeServiceKey(services),
    openDashboard: () => openDashboard(services.settings),
  };
}

export type KeyActions = ReturnType<typeof keyActions>;

/** Asks for the key, and for the base address with the first one; checks both with real calls before it stores them. */
async function setServiceKey(services: KeyCommandServices): Promise<void> {
  const { settings, keys, connection } = services;
  const key = await askForKey();
  if (key === undefined) return;
  const asked = settings.baseAddress === '' ? await askForBaseAddress() : settings.baseAddress;
  if (asked === undefined) return;
  const address = await checkWithProgress(asked, key, services);
  if (address === undefined) return;
  await settings.setBaseAddress(address);
  await settings.setSandboxEnabled(false);
  if (!(await keys.store(key))) {
    await vscode.window.showWarningMessage(
      l10n.t(
        'This system could not store the key. Set up a keyring, or set {0} in the editor’s environment.',
        KEY_VARIABLE,
      ),
    );
    return;
  }
  await connection.refresh();
  void vscode.window.showInformationMessage(l10n.t('Connected with key {0}.', String(key)));
}

async function askForKey(): Promise<ApiKey | undefined> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Service key'),
    prompt: l10n.t('Starts with key_. It is stored in the editor’s secret storage.'),
    placeHolder: 'key_…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const parsed = ApiKey.parse(value);
      return value === '' || parsed.ok ? undefined : parsed.problem;
    },
  });
  if (text === undefined) return undefined;
  const parsed = ApiKey.parse(text);
  return parsed.ok ? parsed.key : undefined;
}

async function askForBaseAddress(): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: l10n.t('Base address of the service'),
    prompt: l10n.t('Shown in your dashboard. It usually ends with /api/v1.'),
    placeHolder: 'https://…/api/v1',
    ignoreFocusOut: true,
    validateInput: (value) => {
      const parsed = normaliseBaseAddress(value);
      return value === '' || parsed.ok ? undefined : parsed.problem;
    },
  });
}

/** @returns the address that answered; `undefined` when the person gave up. */
async function checkWithProgress(
  address: string,
  key: ApiKey,
  services: KeyCommandServices,
): Promise<string | undefined> {
  const title = l10n.t('Checking the key with the service');
  const location = vscode.ProgressLocation.Notification;
  const abort = new AbortController();
  try {
    return await vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
      token.onCancellationRequested(() => abort.abort());
      return firstThatAnswers(address, key, abort.signal);
    });
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    services.log.warn('The key could not be checked', error);
    return await offerOtherInput(error, services);
  }
}

/** Tries the address as written and, where it lacks the usual path, with `/api/v1` behind it. */
async function firstThatAnswers(text: string, key: ApiKey, signal: AbortSignal): Promise<string> {
  const parsed = normaliseBaseAddress(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  let firstFailure: unknown;
  for (const baseAddress of baseAddressCandidates(text)) {
    const client = new ApiClient({ baseAddress, key, fetch: (input, init) => globalThis.fetch(input, init) });
    try {
      await step(l10n.t('Could not read the model catalog'), client.models({ signal, retries: 0 }));
      await step(l10n.t('Could not read the balance'), client.balance({ signal, retries: 0 }));
      return baseAddress;
    } catch (error) {
      signal.throwIfAborted();
      if (!isWrongAddress(error)) throw error;
      firstFailure ??= error;
    }
  }
  throw firstFailure;
}

/** Says which of the calls failed. */
async function step(failed: string, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const what = isRefusal(error) ? l10n.t('The service rejected the key') : failed;
    throw new Error(`${what}: ${errorText(error)}`, { cause: error });
  }
}

/** The service answered, and it is the key that it does not take. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'authentication' || error.kind === 'permission');
}

/** Something answers there, but not this service: another path may be the right one. */
function isWrongAddress(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ServiceError && (cause.kind === 'notFound' || cause.kind === 'malformed');
}

async function offerOtherInput(error: unknown, services: KeyCommandServices): Promise<undefined> {
  const message = errorText(error);
  const again = l10n.t('Enter Again');
  const otherAddress = l10n.t('Change Address');
  const choice = await vscode.window.showErrorMessage(
    `${l10n.t('The key was not stored.')} ${message}`,
    again,
    otherAddress,
  );
  if (choice === otherAddress) await services.settings.setBaseAddress('');
  if (choice !== undefined) await setServiceKey(services);
  return undefined;
}

async function showServiceKey({ keys, settings }: KeyCommandServices): Promise<void> {
  const stored = await keys.read();
  if (stored === undefined) {
    const choice = await vscode.window.showInformationMessage(
      l10n.t('No service key is set.'),
      l10n.t('Set Service Key'),
    );
    if (choice !== undefined) await vscode.commands.executeCommand('modelAccess.setServiceKey');
    return;
  }
  const key =
    stored.source === 'environment'
      ? l10n.t('Service key {0}, from the environment variable {1}.', String(stored.key), KEY_VARIABLE)
      : l10n.t('Service key {0}, in secret storage.', String(stored.key));
  const address = settings.baseAddress === '' ? l10n.t('no base address set') : settings.baseAddress;
  void vscode.window.showInformationMessage(`${key} ${l10n.t('Service: {0}', address)}`);
}

async function removeServiceKey({ keys, connection }: KeyCommandServices): Promise<void> {
  const stored = await keys.read();
  if (stored === undefined) {
    void vscode.window.showInformationMessage(l10n.t('No service key is set.'));
    return;
  }
  if (stored.source === 'environment') {
    void vscode.window.showInformationMessage(
      l10n.t('The key comes from the environment variable {0}. Remove it there.', KEY_VARIABLE),
    );
    return;
  }
  const detail = l10n.t(
    'The chat, the gateway, and the balance stop working until you set a key again. The key itself remains valid.',
  );
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Remove {0}?', String(stored.key)),
    { modal: true, detail },
    l10n.t('Remove'),
  );
  if (choice === undefined) return;
  await keys.remove();
  await connection.refresh();
}

async function openDashboard(settings: Settings): Promise<void> {
  if (settings.dashboardAddress !== '') {
    await vscode.env.openExternal(vscode.Uri.parse(settings.dashboardAddress, true));
    return;
  }
  const set = l10n.t('Open Setting');
  const choice = await vscode.window.showInformationMessage(
    l10n.t('The address of the dashboard, where you create and view keys, is not set.'),
    set,
  );
  if (choice === set) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.dashboardAddress');
  }
}
