import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SnippetPath } from '../../copyAs/snippetRequest.ts';
import { FormatError } from '../../formats/apiError.ts';
import { FORMAT_NAMES, type FormatName } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import type { JsonObject } from '../../formats/json.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { TrafficRow } from '../../pages/traffic/protocol.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';
import type { TrafficServices } from './trafficServices.ts';

/** A captured request to send again. */
export interface Resent {
  readonly row: TrafficRow;
  readonly path: SnippetPath;
  readonly body: JsonObject;
}

interface ResendChoice extends vscode.QuickPickItem {
  readonly way: 'same' | 'model' | FormatName;
}

/**
 * Sends a request again through the gateway, optionally to another model or in another format. It is listed like any
 * other.
 */
export async function resend(resent: Resent, services: TrafficServices): Promise<void> {
  const way = await choose(resent);
  if (way === undefined) return;
  const changed = await change(resent, way, services);
  if (changed === undefined) return;
  const address = await ensureRunning(services.gateway, services.upstream);
  if (address === undefined) return;
  await send(address + changed.path, changed.body, await secretFor(resent.row, services));
}

async function choose({ row, body }: Resent): Promise<ResendChoice['way'] | undefined> {
  const others = FORMAT_NAMES.filter((name) => name !== row.callerFormat && row.endpoint !== '/messages/count_tokens');
  const choices: ResendChoice[] = [
    { label: l10n.t('Unchanged'), description: String(body.model ?? ''), way: 'same' },
    { label: l10n.t('To another model…'), way: 'model' },
    ...others.map(
      (way): ResendChoice => ({ label: l10n.t('In {0} format', way), description: `POST ${ENDPOINT_PATHS[way]}`, way }),
    ),
  ];
  const title = l10n.t('Send the request again');
  const placeHolder = l10n.t('It is charged like any other request');
  return (await vscode.window.showQuickPick(choices, { title, placeHolder }))?.way;
}

async function change(
  { row, path, body }: Resent,
  way: ResendChoice['way'],
  { models }: TrafficServices,
): Promise<Pick<Resent, 'path' | 'body'> | undefined> {
  if (way === 'same') return { path, body };
  if (way === 'model') {
    const names = models.state.models.map(({ id }) => id);
    const model = await vscode.window.showQuickPick(names, { title: l10n.t('Send to which model?') });
    return model === undefined ? undefined : { path, body: { ...body, model } };
  }
  return inFormat(way, row.callerFormat ?? 'messages', body);
}

/** Translates the request to another format. Asks first if something cannot be translated. */
async function inFormat(
  to: FormatName,
  from: FormatName,
  body: JsonObject,
): Promise<Pick<Resent, 'path' | 'body'> | undefined> {
  const request = decoded(from, body);
  const lost = [...new Set([...(request.dropped ?? []), ...wireFormats[to].droppedFromRequest(request)])];
  if (lost.length > 0) {
    const send = l10n.t('Send Without Them');
    const message = l10n.t('The {0} format does not support: {1}.', to, lost.join(', '));
    if ((await vscode.window.showWarningMessage(message, { modal: true }, send)) !== send) return undefined;
  }
  return { path: ENDPOINT_PATHS[to], body: wireFormats[to].encodeRequest(request) as JsonObject };
}

function decoded(from: FormatName, body: JsonObject) {
  try {
    return wireFormats[from].decodeRequest(body);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new Error(l10n.t('The request cannot be read, so it cannot be translated: {0}', error.message));
  }
}

/** Returns the secret of the same local key if it still exists, or else of the first one. */
async function secretFor({ localKeyId }: TrafficRow, { localKeys }: TrafficServices): Promise<string> {
  const { keys } = await localKeys.read();
  const key = keys.find(({ id }) => id === localKeyId) ?? keys[0];
  if (key === undefined) throw new Error(l10n.t('There is no local key.'));
  return key.secret;
}

/** Reads the answer to its end, because a client that disconnects would end the exchange. The list shows the answer. */
async function send(address: string, body: JsonObject, secret: string): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'user-agent': 'model-access-resend',
    },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
}
