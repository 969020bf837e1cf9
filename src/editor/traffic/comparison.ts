import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TrafficRow } from '../../pages/traffic/protocol.ts';
import { eventsOf } from '../../pages/traffic/shownBody.ts';
import { jsonOf, type Recorded, readRecorded } from './recorded.ts';
import type { TrafficServices } from './trafficServices.ts';

const SCHEME = 'model-access-exchange';

/** Shows two exchanges in the diff editor. The texts exist only in memory, while they are open. */
export async function compareExchanges(
  rows: readonly [TrafficRow, TrafficRow],
  services: TrafficServices,
): Promise<void> {
  const [left, right] = await Promise.all(rows.map((row) => readRecorded(services, row)));
  if (left === undefined || right === undefined) return;
  const texts = new Map([left, right].map((recorded) => [uriOf(recorded).toString(), descriptionOf(recorded)]));
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()),
  });
  const title = l10n.t('{0} and {1}', titleOf(left), titleOf(right));
  try {
    await vscode.commands.executeCommand('vscode.diff', uriOf(left), uriOf(right), title);
  } finally {
    provider.dispose();
  }
}

function uriOf({ row }: Recorded): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${row.id}.json` });
}

function titleOf({ row }: Recorded): string {
  return `${row.model ?? row.endpoint ?? ''} ${new Date(row.at).toLocaleTimeString()}`;
}

/** Puts each figure, header, and event of the answer on its own line, so that the differences are visible. */
function descriptionOf({ row, details, request, answer }: Recorded): string {
  const { id: _, number: __, at, ...figures } = row;
  const events = answer === undefined ? [] : eventsOf(answer.pieces);
  const description = {
    ...figures,
    at: new Date(at).toISOString(),
    dropped: details?.record?.dropped,
    requestHeaders: details?.requestHeaders && Object.fromEntries(details.requestHeaders),
    request: jsonOf(request),
    answerHeaders: details?.answerHeaders && Object.fromEntries(details.answerHeaders),
    answer: events.length > 0 ? events.map(({ data }) => parsed(data)) : jsonOf(answer),
  };
  return `${JSON.stringify(description, rounded, 2)}\n`;
}

/** Rounds times to thousandths of a millisecond, because further digits always differ and carry no information. */
function rounded(name: string, value: unknown): unknown {
  return name.endsWith('Ms') && typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
