/** Lets the user choose a request that was recently sent through the gateway, so that routes can be tried with it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatWhen } from '../../display/time.ts';
import { formatTokens } from '../../display/tokens.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import { type RecordedTrial, trialOf } from '../../pages/routes/routeTrial.ts';
import type { BaseServices } from '../baseServices.ts';

const MAX_REQUESTS = 50;
/** Requests to other endpoints have no tools or tokens that rules depend on. */
const ENDPOINTS: ReadonlySet<string | undefined> = new Set(['/chat/completions', '/messages', '/responses']);

export type TrafficTrialServices = Pick<BaseServices, 'ledger' | 'worker'>;

/** Lets the user choose a request. Undefined if there is none, or none was chosen. */
export async function trialFromTraffic({ worker, ledger }: TrafficTrialServices): Promise<RecordedTrial | undefined> {
  const { rpc } = worker;
  const filter = { source: 'gateway' } as const;
  const { rows } = await rpc.readLedger('exchanges', { ledger, filter, limit: MAX_REQUESTS });
  const row = await pickRow(rows.filter(({ model, endpoint }) => model !== undefined && ENDPOINTS.has(endpoint)));
  if (row === undefined) return undefined;
  const { id } = row;
  const [details, body] = await Promise.all([
    rpc.askTraffic({ kind: 'details', id }),
    rpc.askTraffic({ kind: 'body', id, part: 'request' }),
  ]);
  return trialOf(row, details, body);
}

async function pickRow(rows: readonly ExchangeRow[]): Promise<ExchangeRow | undefined> {
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('No tool has sent a request through the gateway yet.'));
    return undefined;
  }
  const now = Date.now();
  const items = rows.map((row) => ({ label: row.model ?? '', description: rowText(row, now), row }));
  const title = l10n.t('Try which request?');
  const placeHolder = l10n.t('Nothing is sent again');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.row;
}

function rowText({ client, usage, at }: ExchangeRow, now: number): string {
  const tokens = usage && l10n.t('{0} tokens', formatTokens(usage.inputTokens));
  return [client, tokens, formatWhen(at, now)].filter((part) => part !== undefined).join(' · ');
}
