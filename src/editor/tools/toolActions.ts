import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../formats/defined.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayUpstream } from '../gateway/gatewayUpstream.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { askBudget } from '../localKeys/askTerms.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import { checkCall } from './checkCall.ts';
import { changeFile, chooseFile } from './configurationFile.ts';
import { describePlace, placeOf } from './configurationPlace.ts';
import { describeChanges } from './describeChanges.ts';
import { reconnect } from './reconnect.ts';
import { smallModel } from './smallModel.ts';
import type { Access, Tool } from './tool.ts';
import { type Aliases, type OfferedNames, proposeAliases, withAliases, withoutAliases } from './toolAliases.ts';
import type { ToolConnection, ToolConnections } from './toolConnections.ts';
import { TOOLS } from './toolList.ts';

/** Where the catalog does not say how much a model takes in. */
const DEFAULT_WINDOW = 128_000;

export interface ToolServices {
  readonly gateway: GatewayController;
  readonly upstream: GatewayUpstream;
  readonly localKeys: LocalKeyStore;
  readonly models: ModelList;
  readonly toolConnections: ToolConnections;
  readonly settings: Settings;
}

export async function connectTool(services: ToolServices): Promise<void> {
  const { gateway, upstream, toolConnections: connections } = services;
  const tool = await pickTool(TOOLS, connections, l10n.t('Which tool should use the gateway?'));
  if (tool === undefined) return;
  const address = await ensureRunning(gateway, upstream);
  if (address === undefined) return;
  const model = await pickModel(services, tool);
  const budget = model === undefined ? undefined : await askBudget(tool.name);
  if (model === undefined || budget === undefined) return;
  const { contextWindow = DEFAULT_WINDOW, maxOutputTokens } = services.models.find(model) ?? {};
  const small = smallModel(services.models.state.models, model);
  const about = { address, model, contextWindow, ...defined({ maxOutputTokens, smallModel: small }) };
  const file = await fileOf(tool);
  const earlier = connections.find(tool.id);
  const proposed = proposeAliases(tool, small ?? model, offeredNames(services), earlier?.aliases ?? {});
  const agreed = file === undefined ? { aliases: {} } : await confirm(tool, file, about, proposed);
  if (agreed === undefined) return;
  if (earlier !== undefined) await disconnect(earlier, services);
  const key = await services.localKeys.create(await freeName(tool.name, services.localKeys), budget);
  await writeConnection(tool, file, { ...about, secret: key.secret }, { key, ...agreed }, services);
}

function offeredNames({ upstream, models, settings }: ToolServices): OfferedNames {
  const { upstreams, aliases } = upstream.knownNames;
  return { upstreams, aliases, models: models.state.models.map(({ id }) => id), routes: settings.routes };
}

async function writeConnection(
  tool: Tool,
  file: string | undefined,
  access: Access,
  { key, aliases }: { readonly key: IssuedKey; readonly aliases: Aliases },
  services: ToolServices,
): Promise<void> {
  const { configuration, snippet, name, id } = tool;
  const { settings, toolConnections } = services;
  try {
    const changed =
      configuration && file !== undefined
        ? await changeFile(file, configuration.format, configuration.changes(access))
        : undefined;
    const { secret: _, ...told } = access;
    const written = { ...(changed && { file: changed }), ...(isNotEmpty(aliases) && { aliases }) };
    await toolConnections.add({ tool: id, key: key.id, access: told, ...written });
  } catch (error) {
    await services.localKeys.revoke(key.id);
    throw error;
  }
  if (isNotEmpty(aliases)) await settings.setGatewayAliases(withAliases(settings.writtenAliases, aliases));
  if (snippet !== undefined) await vscode.env.clipboard.writeText(snippet(access));
  const check = l10n.t('Send Test Request');
  const choice = await vscode.window.showInformationMessage(doneText(name, file, snippet !== undefined), check);
  if (choice === check) await showCheck(tool, access);
}

function doneText(name: string, file: string | undefined, hasSnippet: boolean): string {
  if (file === undefined)
    return l10n.t('The configuration for {0}, with its own local key, was copied to the clipboard.', name);
  const done = l10n.t('{0} will use the gateway the next time it starts.', name);
  return hasSnippet
    ? `${done} ${l10n.t('The key was copied to the clipboard because the tool does not read it from a file.')}`
    : done;
}

async function showCheck(tool: Tool, access: Access): Promise<void> {
  const { status, milliseconds, problem } = await checkCall(tool, access);
  if (problem !== undefined)
    throw new Error(l10n.t('{0} received status {1}: {2}', tool.name, String(status), problem));
  void vscode.window.showInformationMessage(
    l10n.t('{0} answered a request with the key of {1} in {2} ms.', access.model, tool.name, String(milliseconds)),
  );
}

/** @returns the aliases that the person agrees to besides the change, or `undefined` without an agreement. */
async function confirm(
  tool: Tool,
  file: string,
  about: Omit<Access, 'secret'>,
  aliases: Aliases,
): Promise<{ readonly aliases: Aliases } | undefined> {
  const changes = describeChanges(tool.configuration?.changes({ ...about, secret: 'key_…' }) ?? []);
  const place = describePlace(await placeOf(file)).join('\n');
  const detail = [changes, describeAliases(tool, aliases), place].filter((part) => part !== '').join('\n\n');
  const message = l10n.t(
    'Let {0} use the gateway? The following is written to {1}. Everything else in the file stays unchanged.',
    tool.name,
    file,
  );
  const withoutThem = { title: l10n.t('Change File'), aliases: {} };
  const withThem = { title: l10n.t('Change File and Add Aliases'), aliases };
  const choices = isNotEmpty(aliases) ? [withThem, withoutThem] : [withoutThem];
  return vscode.window.showInformationMessage(message, { modal: true, detail }, ...choices);
}

/** @returns an empty text without aliases. */
function describeAliases({ name }: Tool, aliases: Aliases): string {
  if (!isNotEmpty(aliases)) return '';
  const lines = Object.entries(aliases).map(([alias, model]) => `${alias}: ${model}`);
  const why = l10n.t(
    '{0} asks for models by names of its own in some of its requests. These aliases in the settings of the gateway let them succeed:',
    name,
  );
  return [why, ...lines].join('\n');
}

function isNotEmpty(aliases: Aliases): boolean {
  return Object.keys(aliases).length > 0;
}

/** @param id of the tool; without it the person is asked. */
export async function disconnectTool(services: ToolServices, id: string | undefined): Promise<void> {
  const tool = await connectedTool(services, id, l10n.t('Which tool should no longer use the gateway?'));
  const connection = tool && services.toolConnections.find(tool.id);
  if (tool === undefined || connection === undefined) return;
  await disconnect(connection, services);
  void vscode.window.showInformationMessage(
    l10n.t('{0} no longer uses the gateway. Its configuration is restored and its local key revoked.', tool.name),
  );
}

async function disconnect(connection: ToolConnection, services: ToolServices): Promise<void> {
  const { toolConnections, localKeys, settings } = services;
  await toolConnections.restore(connection);
  const { aliases } = connection;
  if (aliases !== undefined) await settings.setGatewayAliases(withoutAliases(settings.writtenAliases, aliases));
  const { keys } = await localKeys.read();
  if (keys.some(({ id }) => id === connection.key)) await localKeys.revoke(connection.key);
}

/** Tells a tool where the gateway is now. @param id of the tool; without it the person is asked. */
export async function reconnectTool(services: ToolServices, id: string | undefined): Promise<void> {
  const tool = await connectedTool(services, id, l10n.t('Which tool do you want to reconnect?'));
  const connection = tool && services.toolConnections.find(tool.id);
  if (tool === undefined || connection === undefined) return;
  const address = await ensureRunning(services.gateway, services.upstream);
  if (address === undefined) return;
  await reconnect(connection, address, services);
  void vscode.window.showInformationMessage(doneText(tool.name, connection.file?.path, false));
}

async function connectedTool(
  { toolConnections: connections }: ToolServices,
  id: string | undefined,
  question: string,
): Promise<Tool | undefined> {
  const connected = TOOLS.filter((tool) => connections.find(tool.id) !== undefined);
  if (connected.length === 0) throw new Error(l10n.t('No tool is connected.'));
  return connected.find((tool) => tool.id === id) ?? (await pickTool(connected, connections, question));
}

async function pickTool(tools: readonly Tool[], connections: ToolConnections, placeHolder: string) {
  const items = tools.map((tool) => ({
    label: tool.name,
    description: connections.find(tool.id) === undefined ? '' : l10n.t('connected'),
    tool,
  }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Connect a tool'), placeHolder }))?.tool;
}

async function pickModel({ models }: ToolServices, { name }: Tool): Promise<string | undefined> {
  const names = models.state.models.map(({ id }) => id);
  const placeHolder = l10n.t('Which model should it use?');
  if (names.length > 0) return await vscode.window.showQuickPick(names, { title: name, placeHolder });
  return (await vscode.window.showInputBox({ title: name, prompt: placeHolder })) || undefined;
}

async function fileOf({ configuration }: Tool): Promise<string | undefined> {
  if (configuration === undefined) return undefined;
  const { env, platform } = process;
  return await chooseFile(configuration.files({ home: homedir(), platform, env }));
}

/** A key of that name may be left from before, or be the person's own. */
async function freeName(name: string, localKeys: LocalKeyStore): Promise<string> {
  const taken = new Set((await localKeys.read()).keys.map((key) => key.name.toLowerCase()));
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name} ${count}`;
  return free;
}
