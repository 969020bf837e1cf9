import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showDone } from '../doneMessage.ts';
import type { Settings } from '../settings/settings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

interface SecretItem extends vscode.QuickPickItem {
  readonly secret: string;
}

/** Asks which upstream key to set and for its value, and stores it in the editor's secret storage. */
export async function setUpstreamKey(settings: Settings, keys: UpstreamKeys): Promise<void> {
  const item = await chooseSecret(settings, keys);
  if (item === undefined) return;
  const key = await askForKey(item);
  if (key === undefined) return;
  if (key === '') await keys.remove(item.secret);
  else await keys.store(item.secret, key);
  showDone(key === '' ? l10n.t('Key removed') : l10n.t('Key stored'));
}

async function chooseSecret({ upstreams }: Settings, keys: UpstreamKeys): Promise<SecretItem | undefined> {
  const named = upstreams.upstreams.flatMap(({ id, secret = [] }) => [secret].flat().map((name) => ({ id, name })));
  const users = Map.groupBy(named, ({ name }) => name);
  const items = await Promise.all(
    [...users].map(async ([secret, members]): Promise<SecretItem> => {
      const description = (await keys.read(secret)) === undefined ? l10n.t('not set') : l10n.t('set');
      return { secret, label: secret, description, detail: l10n.t('For {0}', members.map(({ id }) => id).join(', ')) };
    }),
  );
  if (items.length > 0)
    return vscode.window.showQuickPick(items, { title: l10n.t('Which upstream’s key do you want to set?') });
  const open = l10n.t('Open Settings');
  const message = l10n.t(
    'No upstream in the settings has a "secret". Add "secret" to the upstream that requires a key.',
  );
  const choice = await vscode.window.showInformationMessage(message, open);
  if (choice === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.upstreams');
  return undefined;
}

/** Returns an empty text if the key is to be removed. */
async function askForKey({ label, detail }: SecretItem): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Key “{0}”', label),
    prompt: `${detail}. ${l10n.t('The key is stored in the editor’s secret storage. Leave empty to remove it.')}`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^[\x21-\x7e]*$/.test(value.trim()) ? undefined : l10n.t('A key contains only ASCII characters and no spaces.'),
  });
  return text?.trim();
}
