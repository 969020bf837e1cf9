import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { ApiKey } from '../../service/apiKey.ts';
import { normalizeBaseAddress } from '../../service/baseAddress.ts';
import { parseKey } from '../../service/pastedKey.ts';
import type { BaseServices } from '../baseServices.ts';
import { KEY_VARIABLE, type ServiceKeys } from '../connection/serviceKeys.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { checkKey, type FailedCheck, type KeyCheck, type KeyField } from './keyCheck.ts';

const BACK = Symbol('back');

export interface KeyCommandServices extends Pick<BaseServices, 'connection' | 'log' | 'settings'> {
  readonly keys: ServiceKeys;
}

/** The dialogs for the service key. */
export function keyActions(services: KeyCommandServices) {
  return {
    set: () => setServiceKey(services),
    show: () => showServiceKey(services),
    remove: () => removeServiceKey(services),
    openDashboard: () => openDashboard(services.settings),
  };
}

export type KeyActions = ReturnType<typeof keyActions>;

/**
 * Asks for the key, and at first also for the base address. Stores both after a check with real requests. After a
 * failure, the form keeps both and returns to the wrong one.
 */
async function setServiceKey(services: KeyCommandServices): Promise<void> {
  const form = new ServiceKeyForm(services.settings.baseAddress);
  let fields = form.missing;
  for (;;) {
    const entry = await form.ask(fields);
    if (entry === undefined) return;
    const checked = await checkWithProgress(entry, services.log);
    if (checked === undefined) return;
    if (checked.kind === 'answered') return connect(entry.key, checked.baseAddress, services);
    const next = await offerOtherInput(checked);
    if (next === undefined) return;
    fields = next;
  }
}

async function connect(key: ApiKey, baseAddress: string, services: KeyCommandServices): Promise<void> {
  const { settings, keys, connection } = services;
  let isStored = false;
  await connection.change(async () => {
    isStored = await keys.store(key, baseAddress);
    await settings.set('baseAddress', baseAddress);
    await settings.set('sandbox.enabled', false);
  });
  if (!isStored) {
    await vscode.window.showWarningMessage(
      l10n.t(
        'This system could not store the key. Set up a keyring, or set {0} in the editor’s environment.',
        KEY_VARIABLE,
      ),
    );
    return;
  }
  void vscode.window.showInformationMessage(l10n.t('Connected with key {0}.', String(key)));
}

/** Returns undefined if the user canceled. */
async function checkWithProgress({ address, key }: KeyEntry, log: Log): Promise<KeyCheck | undefined> {
  const title = l10n.t('Checking the key with the service');
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const checked = await checkKey(address, key, abort.signal);
    if (checked?.kind === 'failed') log.warn('The key could not be checked', checked.error);
    return checked;
  });
}

/** Returns the fields to ask for again, or an empty list to repeat the check; undefined if the user canceled. */
async function offerOtherInput({ wrong, error }: FailedCheck): Promise<readonly KeyField[] | undefined> {
  const key = { title: l10n.t('Change Key'), fields: ['key'] } as const;
  const address = { title: l10n.t('Change Address'), fields: ['address'] } as const;
  const retry = { title: l10n.t('Retry'), fields: [] } as const;
  const buttons = wrong === 'key' ? [key, address] : [address, key, retry];
  const message = `${l10n.t('The key was not stored.')} ${errorText(error)}`;
  return (await vscode.window.showErrorMessage(message, ...buttons))?.fields;
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
  const address = stored.baseAddress ?? (settings.baseAddress || l10n.t('no base address set'));
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
    l10n.t('The dashboard address, where you create and view keys, is not set.'),
    set,
  );
  if (choice === set) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.dashboardAddress');
  }
}

/** The entered texts, each in a valid form. */
interface KeyEntry {
  readonly key: ApiKey;
  readonly address: string;
}

interface InputStep {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly password: boolean;
  /** Returns the problem with a text; undefined if it is valid. */
  readonly problem: (text: string) => string | undefined;
}

/** The input boxes for the key and the base address. The form keeps the entered texts. */
class ServiceKeyForm {
  readonly #texts: Record<KeyField, string>;

  /** @param address Empty if it is unknown. */
  constructor(address: string) {
    this.#texts = { key: '', address };
  }

  /** The fields without a text, in order. */
  get missing(): readonly KeyField[] {
    return (['key', 'address'] as const).filter((field) => this.#texts[field] === '');
  }

  /** Asks for these fields in order, with a Back button. Returns undefined if the user canceled. */
  async ask(fields: readonly KeyField[]): Promise<KeyEntry | undefined> {
    let position = 0;
    for (let field = fields[0]; field !== undefined; field = fields[position]) {
      const text = await showInputBox(stepOf(field), this.#texts[field], position + 1, fields.length);
      if (text === undefined) return undefined;
      if (text !== BACK) this.#texts[field] = text;
      position += text === BACK ? -1 : 1;
    }
    const parsed = parseKey(this.#texts.key);
    return parsed.ok ? { key: parsed.key, address: this.#texts.address } : undefined;
  }
}

function stepOf(field: KeyField): InputStep {
  if (field === 'key') {
    return {
      title: l10n.t('Service key'),
      prompt: l10n.t('Starts with key_. It is stored in the editor’s secret storage.'),
      placeholder: 'key_…',
      password: true,
      problem: (text) => problemOf(parseKey(text)),
    };
  }
  return {
    title: l10n.t('Service base address'),
    prompt: l10n.t('Shown in your dashboard. It usually ends with /api/v1.'),
    placeholder: 'https://…/api/v1',
    password: false,
    problem: (text) => problemOf(normalizeBaseAddress(text)),
  };
}

function problemOf(parsed: { readonly ok: true } | { readonly ok: false; readonly problem: string }) {
  return parsed.ok ? undefined : parsed.problem;
}

/** Returns `BACK` for the Back button, or undefined if the box was closed. */
function showInputBox(step: InputStep, value: string, position: number, total: number) {
  const { problem, ...shown } = step;
  const box = vscode.window.createInputBox();
  Object.assign(box, shown, { value, ignoreFocusOut: true });
  if (total > 1) Object.assign(box, { step: position, totalSteps: total });
  const dashboard = { iconPath: new vscode.ThemeIcon('link-external'), tooltip: l10n.t('Open Dashboard') };
  box.buttons = [...(position > 1 ? [vscode.QuickInputButtons.Back] : []), dashboard];
  return new Promise<string | typeof BACK | undefined>((resolve) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = text === '' ? undefined : problem(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = problem(box.value);
      if (box.validationMessage === undefined) resolve(box.value);
    });
    box.onDidTriggerButton((button) => {
      if (button === dashboard) void vscode.commands.executeCommand('modelAccess.openDashboard');
      else resolve(BACK);
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}
