import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolName } from '../../tools/toolList.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';
import { type ConnectServices, disconnect } from './connectTool.ts';
import { reconnect } from './reconnect.ts';
import type { ToolConnection } from './toolConnections.ts';

/** @param id The tool's ID. If it is undefined, the user is asked. */
export async function disconnectTool(services: ConnectServices, id: string | undefined): Promise<void> {
  const connection = await connectionOf(services, id, l10n.t('Which tool should no longer use the gateway?'));
  if (connection === undefined) return;
  await disconnect(connection, services);
  void vscode.window.showInformationMessage(
    l10n.t(
      '{0} no longer uses the gateway. Its configuration is restored and its local key revoked.',
      toolName(connection.tool),
    ),
  );
}

/**
 * Updates the gateway's address for a tool.
 * @param id The tool's ID. If it is undefined, the user is asked.
 */
export async function reconnectTool(services: ConnectServices, id: string | undefined): Promise<void> {
  const connection = await connectionOf(services, id, l10n.t('Which tool do you want to reconnect?'));
  if (connection === undefined) return;
  const address = await ensureRunning(services.gateway, services.upstream);
  if (address === undefined) return;
  await reconnect(connection, { address }, services);
  void vscode.window.showInformationMessage(doneText(toolName(connection.tool), connection.file?.path));
}

function doneText(name: string, file: string | undefined): string {
  return file === undefined
    ? l10n.t('The configuration for {0}, with its own local key, was copied to the clipboard.', name)
    : l10n.t('{0} will use the gateway the next time it starts.', name);
}

async function connectionOf(
  { toolConnections: { all } }: ConnectServices,
  id: string | undefined,
  placeHolder: string,
): Promise<ToolConnection | undefined> {
  if (all.length === 0) throw new Error(l10n.t('No tool is connected.'));
  const items = all.map((connection) => ({ label: toolName(connection.tool), connection }));
  const named = items.find(({ connection }) => connection.tool === id);
  return (named ?? (await vscode.window.showQuickPick(items, { placeHolder })))?.connection;
}
