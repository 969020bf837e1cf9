import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Model } from '../../service/modelCatalog.ts';
import { changeFile } from '../../tools/configurationFile.ts';
import { placeOf } from '../../tools/configurationPlace.ts';
import type { ToolAccess } from '../../tools/tool.ts';
import { TOOLS, toolName } from '../../tools/toolList.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { modelAccess } from './connectTool.ts';
import type { ToolConnection, ToolConnections } from './toolConnections.ts';

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
  for (const connection of stale) await reconnect(connection, { address }, services);
  void vscode.window.showInformationMessage(l10n.t('{0} is reconnected. Restart it to use the new address.', names));
}

/**
 * Asks whether to update tools whose files list other models than the catalog. Tools that read the list from the gateway
 * are not among them.
 */
export async function offerModels(
  connections: readonly ToolConnection[],
  models: readonly Model[],
  services: ReconnectServices,
): Promise<void> {
  const outdated = outdatedTools(connections, models);
  if (outdated.length === 0) return;
  const names = outdated.map(({ tool }) => toolName(tool)).join(', ');
  const update = l10n.t('Update');
  const message = l10n.t('The list of models has changed. {0} still lists the earlier ones.', names);
  if ((await vscode.window.showInformationMessage(message, update)) !== update) return;
  for (const connection of outdated) await reconnect(connection, othersIn(connection, models), services);
  void vscode.window.showInformationMessage(l10n.t('{0} is updated. Restart it to see the new models.', names));
}

/** The connections whose file would be different with the models of the catalog. */
export function outdatedTools(
  connections: readonly ToolConnection[],
  models: readonly Model[],
): readonly ToolConnection[] {
  return connections.filter((connection) => {
    const { access, file } = connection;
    const configuration = TOOLS.find(({ id }) => id === connection.tool)?.configuration;
    if (access?.others === undefined || file === undefined || configuration === undefined) return false;
    const written = (change: Partial<ToolAccess>) =>
      JSON.stringify(configuration.changes({ ...access, ...change, secret: '' }), withoutTimes);
    return written({}) !== written(othersIn(connection, models));
  });
}

/** The time of a change says nothing about the models. */
function withoutTimes(name: string, value: unknown): unknown {
  return name === 'updatedAt' ? undefined : value;
}

function othersIn({ access }: ToolConnection, models: readonly Model[]): Pick<ToolAccess, 'others'> {
  const { others = [] } = modelAccess(models, access?.model ?? '');
  return { others };
}

/**
 * Updates what a tool was given: in its file, or through the clipboard. Key and model stay.
 * @throws if its local key was revoked, or the path of its configuration now points to another file.
 */
export function reconnect(
  { tool }: ToolConnection,
  change: Partial<Omit<ToolAccess, 'secret'>>,
  services: ReconnectServices,
): Promise<void> {
  const { toolConnections } = services;
  return toolConnections.change(async () => {
    // It may have been connected again, or disconnected, while the user was asked.
    const connection = toolConnections.find(tool);
    if (connection !== undefined) await reconnectNow(connection, change, services);
  });
}

async function reconnectNow(
  connection: ToolConnection,
  change: Partial<Omit<ToolAccess, 'secret'>>,
  { localKeys, toolConnections }: ReconnectServices,
): Promise<void> {
  const tool = TOOLS.find(({ id }) => id === connection.tool);
  const key = (await localKeys.read()).keys.find(({ id }) => id === connection.key);
  if (tool === undefined || key === undefined || connection.access === undefined) {
    throw new Error(l10n.t('{0} cannot be reconnected. Connect it again.', tool?.name ?? connection.tool));
  }
  const access = { ...connection.access, ...change };
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
