import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { changeFile } from './configurationFile.ts';
import { placeOf } from './configurationPlace.ts';
import type { ToolConnection, ToolConnections } from './toolConnections.ts';
import { TOOLS, toolName } from './toolList.ts';

export interface ReconnectServices {
  readonly localKeys: LocalKeyStore;
  readonly toolConnections: ToolConnections;
}

/** Asks whether to update tools that are configured for an earlier address. */
export async function offerReconnect(
  stale: readonly ToolConnection[],
  address: string,
  services: ReconnectServices,
): Promise<void> {
  const names = stale.map(({ tool }) => toolName(tool)).join(', ');
  const update = l10n.t('Reconnect');
  const message = l10n.t('The gateway is now at {0}. {1} still uses an earlier address.', address, names);
  if ((await vscode.window.showWarningMessage(message, update)) !== update) return;
  for (const connection of stale) await reconnect(connection, address, services);
  void vscode.window.showInformationMessage(l10n.t('{0} is reconnected. Restart it to use the new address.', names));
}

/**
 * Updates the gateway's address for a tool: in its file, or through the clipboard. Key and model stay.
 * @throws if its local key was revoked, or the path of its configuration now points to another file.
 */
export async function reconnect(
  connection: ToolConnection,
  address: string,
  { localKeys, toolConnections }: ReconnectServices,
): Promise<void> {
  const tool = TOOLS.find(({ id }) => id === connection.tool);
  const key = (await localKeys.read()).keys.find(({ id }) => id === connection.key);
  if (tool === undefined || key === undefined || connection.access === undefined) {
    throw new Error(l10n.t('{0} cannot be reconnected. Connect it again.', tool?.name ?? connection.tool));
  }
  const access = { ...connection.access, address };
  const renewed = { ...access, secret: key.secret };
  const { configuration, snippet } = tool;
  if (configuration === undefined || connection.file === undefined) {
    if (snippet !== undefined) await vscode.env.clipboard.writeText(snippet(renewed));
    await toolConnections.add({ ...connection, access });
    return;
  }
  const { path, target } = connection.file;
  if (target !== undefined && (await placeOf(path)).target !== target) {
    throw new Error(l10n.t('{0} now points to another file. Disconnect {1} and connect it again.', path, tool.name));
  }
  await toolConnections.restore(connection);
  const file = await changeFile(path, configuration.format, configuration.changes(renewed), target);
  await toolConnections.add({ ...connection, access, file });
}
