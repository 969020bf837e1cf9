import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { changeFile } from './configurationFile.ts';
import { placeOf } from './configurationPlace.ts';
import type { ToolConnection, ToolConnections } from './toolConnections.ts';
import { TOOLS } from './toolList.ts';

export interface ReconnectServices {
  readonly localKeys: LocalKeyStore;
  readonly toolConnections: ToolConnections;
}

/**
 * Tells a tool where the gateway is now: in its file, or by the clipboard. Key and model stay.
 * @throws when its local key was revoked.
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
  const told = { ...access, secret: key.secret };
  const { configuration, snippet } = tool;
  if (configuration === undefined || connection.file === undefined) {
    if (snippet !== undefined) await vscode.env.clipboard.writeText(snippet(told));
    await toolConnections.add({ ...connection, access });
    return;
  }
  const { path, target } = connection.file;
  if (target !== undefined && (await placeOf(path)).target !== target) {
    throw new Error(l10n.t('{0} now leads to another file. Disconnect {1} and connect it again.', path, tool.name));
  }
  await toolConnections.restore(connection);
  const file = await changeFile(connection.file.path, configuration.format, configuration.changes(told));
  await toolConnections.add({ ...connection, access, file });
}
