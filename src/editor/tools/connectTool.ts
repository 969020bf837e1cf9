import * as vscode from 'vscode';
import { defined } from '../../formats/json.ts';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { ASSUMED_CONTEXT_WINDOW, type Model } from '../../service/modelCatalog.ts';
import { smallModel } from '../../service/smallModel.ts';
import { changeFile } from '../../tools/configurationFile.ts';
import type { ClientProgram, ToolAccess, ToolModel } from '../../tools/tool.ts';
import { type Aliases, proposeAliases, withAliases, withoutAliases } from '../../tools/toolAliases.ts';
import type { BaseServices } from '../baseServices.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { ToolConnection, ToolConnections } from './toolConnections.ts';

export interface ConnectServices
  extends Pick<BaseServices, 'gateway' | 'localKeys' | 'models' | 'settings' | 'upstream'> {
  readonly toolConnections: ToolConnections;
}

/** The access data for a model, except the gateway's address and the secret. */
export function modelAccess(models: readonly Model[], model: string): Omit<ToolAccess, 'address' | 'secret'> {
  const { id: _, ...limits } = listed(models.find(({ id }) => id === model) ?? { id: model });
  const others = models.filter(({ id }) => id !== model).map(listed);
  return { model, ...limits, others, ...defined({ smallModel: smallModel(models, model) }) };
}

function listed({ id, contextWindow = ASSUMED_CONTEXT_WINDOW, maxOutputTokens }: Omit<Model, 'raw'>): ToolModel {
  return { id, contextWindow, ...defined({ maxOutputTokens }) };
}

/** The aliases that a tool needs in addition to its file. */
export function neededAliases(
  tool: ClientProgram,
  { model, smallModel: small = model }: Pick<ToolAccess, 'model' | 'smallModel'>,
  { upstream, models, settings, toolConnections }: ConnectServices,
): Aliases {
  const { upstreams, aliases } = upstream.knownNames;
  const offered = { upstreams, aliases, models: models.state.models.map(({ id }) => id), routes: settings.routes };
  return proposeAliases(tool, small, offered, toolConnections.find(tool.id)?.aliases ?? {});
}

export interface ConnectionRequest {
  readonly tool: ClientProgram;
  /** The file to change. Undefined for a tool without one. */
  readonly file?: string;
  /** The target of the file that the user has seen. */
  readonly shown?: string;
  readonly access: Omit<ToolAccess, 'secret'>;
  /** The name and terms of the tool's local key. */
  readonly name: string;
  readonly terms: KeyTerms;
  /** The tool's existing key when the user was asked. Terms that were changed elsewhere meanwhile stay. */
  readonly asked?: IssuedKey;
  readonly aliases: Aliases;
}

/** Connects a tool to the gateway. Replaces an earlier connection of the tool, but keeps its local key. */
export function connect(wanted: ConnectionRequest, services: ConnectServices): Promise<ToolAccess> {
  return services.toolConnections.change(() => connectNow(wanted, services));
}

async function connectNow(wanted: ConnectionRequest, services: ConnectServices): Promise<ToolAccess> {
  const { tool, name, terms, asked } = wanted;
  const { localKeys, toolConnections } = services;
  const earlier = toolConnections.find(tool.id);
  const isKept = earlier !== undefined && (await hasKey(earlier, localKeys));
  if (earlier !== undefined) await undo(earlier, services);
  const key = isKept ? await localKeys.change(earlier.key, name, terms, asked) : await localKeys.create(name, terms);
  try {
    return await write(wanted, key, services);
  } catch (error) {
    await localKeys.revoke(key.id);
    throw error;
  }
}

async function write(
  { tool, file, shown, access: wanted, aliases }: ConnectionRequest,
  key: IssuedKey,
  { settings, toolConnections }: ConnectServices,
): Promise<ToolAccess> {
  const { configuration, snippet, id } = tool;
  const access = { ...wanted, secret: key.secret };
  const changed =
    configuration && file !== undefined
      ? await changeFile(file, configuration.format, configuration.changes(access), shown)
      : undefined;
  const hasAliases = Object.keys(aliases).length > 0;
  const written = { ...(changed && { file: changed }), ...(hasAliases && { aliases }) };
  const connection = { tool: id, key: key.id, access: wanted, ...written };
  try {
    await toolConnections.add(connection);
    if (hasAliases) await settings.set('gateway.aliases', withAliases(settings.writtenAliases, aliases));
    if (snippet !== undefined) await vscode.env.clipboard.writeText(snippet(access));
    return access;
  } catch (error) {
    // For example, the user's settings cannot be parsed. The tool must not keep the key, which is revoked.
    await toolConnections.restore(connection);
    throw error;
  }
}

/** Restores the tool's file and the aliases, and revokes its local key. Does nothing if it is disconnected meanwhile. */
export function disconnect({ tool }: ToolConnection, services: ConnectServices): Promise<void> {
  const { toolConnections, localKeys } = services;
  return toolConnections.change(async () => {
    const connection = toolConnections.find(tool);
    if (connection === undefined) return;
    await undo(connection, services);
    if (await hasKey(connection, localKeys)) await localKeys.revoke(connection.key);
  });
}

async function undo(connection: ToolConnection, { toolConnections, settings }: ConnectServices): Promise<void> {
  await toolConnections.restore(connection);
  const { aliases } = connection;
  if (aliases !== undefined) await settings.set('gateway.aliases', withoutAliases(settings.writtenAliases, aliases));
}

async function hasKey({ key }: ToolConnection, localKeys: LocalKeyStore): Promise<boolean> {
  return (await localKeys.read()).keys.some(({ id }) => id === key);
}
