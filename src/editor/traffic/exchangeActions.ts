import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SnippetPath } from '../../copyAs/snippetRequest.ts';
import type { JsonObject } from '../../formats/json.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { ExchangeAction, TrafficRow } from '../../pages/traffic/protocol.ts';
import { copyAs } from '../copyAs/copyAs.ts';
import { harOf } from './har.ts';
import { fixtureOf, jsonOf, type Recorded, readRecorded } from './recorded.ts';
import { resend } from './resend.ts';
import type { TrafficServices } from './trafficServices.ts';

/** Performs an action on one exchange. */
export async function act(action: ExchangeAction, row: TrafficRow, services: TrafficServices): Promise<void> {
  switch (action) {
    case 'cancel':
      return cancel(row, services);
    case 'copyAs':
      return copyProgram(row, services);
    case 'resend': {
      const { path, body } = (await capturedRequest(row, services)) ?? {};
      if (path !== undefined && body !== undefined) await resend({ row, path, body }, services);
      return;
    }
    case 'saveHar':
      return save(`${nameOf(row)}.har`, await readRecorded(services, row), (recorded) => harOf([recorded]));
    case 'saveFixture':
      return save(`${nameOf(row)}.json`, await readRecorded(services, row), fixtureOf);
  }
}

async function cancel({ id }: TrafficRow, { calls, worker }: TrafficServices): Promise<void> {
  const call = calls.find(id);
  if (call === undefined) await worker.rpc.askTraffic({ kind: 'cancel', id });
  else call.cancel();
}

interface CapturedRequest {
  readonly path: SnippetPath;
  readonly body: JsonObject;
  readonly recorded: Recorded;
}

async function copyProgram(row: TrafficRow, services: TrafficServices): Promise<void> {
  const { path, body, recorded } = (await capturedRequest(row, services)) ?? {};
  if (path === undefined || body === undefined) return;
  const headers = Object.fromEntries(recorded?.details?.requestHeaders ?? []);
  await copyAs(services, { path, body, headers });
}

/** Returns the request as the client sent it, or reports what is missing. */
async function capturedRequest(row: TrafficRow, services: TrafficServices): Promise<CapturedRequest | undefined> {
  const recorded = await readRecorded(services, row);
  const body = jsonOf(recorded.request);
  const path = [...Object.values(ENDPOINT_PATHS), '/messages/count_tokens' as const].find(
    (each) => each === row.endpoint,
  );
  if (path !== undefined && typeof body === 'object' && body !== null) {
    return { path, body: body as JsonObject, recorded };
  }
  await explainMissingCapture(row, services);
  return undefined;
}

async function explainMissingCapture({ source }: TrafficRow, { settings }: TrafficServices): Promise<void> {
  if (source !== 'gateway') {
    void vscode.window.showInformationMessage(l10n.t('Only requests through the gateway are captured.'));
    return;
  }
  const capture = l10n.t('Capture Bodies');
  const message = l10n.t('The body of this request was not fully captured, so the request cannot be reproduced.');
  const choices = settings.captureBodies || !vscode.workspace.isTrusted ? [] : [capture];
  const choice = await vscode.window.showInformationMessage(message, ...choices);
  if (choice === capture) await settings.set('traffic.captureBodies', true);
}

async function save(name: string, recorded: Recorded, contentOf: (recorded: Recorded) => object): Promise<void> {
  if (recorded.details === undefined) {
    const message = l10n.t('No details of this request are available.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
  const target = await vscode.window.showSaveDialog({ defaultUri });
  if (target === undefined) return;
  const text = `${JSON.stringify(contentOf(recorded), undefined, 2)}\n`;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = l10n.t('Open');
  const choice = await vscode.window.showInformationMessage(l10n.t('Saved as {0}.', name), open);
  if (choice === open) await vscode.window.showTextDocument(target);
}

/** A name such as `familya-opus-4.6-2026-11-21T14-31-22`. */
function nameOf({ model = 'exchange', at }: TrafficRow): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${model.replace(/[^\w.-]/g, '_')}-${time}`;
}
