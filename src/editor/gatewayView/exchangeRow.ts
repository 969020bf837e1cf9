/** Rows for the requests that run through the gateway. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatSeconds } from '../../display/time.ts';
import { formatTokens } from '../../display/tokens.ts';
import { waitText } from '../../display/waitText.ts';
import type { KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import type { Row } from '../rows/row.ts';

export function exchangesRow(exchanges: readonly RunningExchange[], keys: readonly KeyDetails[]): Row {
  const waiting = exchanges.filter(({ waitsFor }) => waitsFor !== undefined).length;
  return {
    id: 'exchanges',
    label: l10n.t('Running now'),
    description: [String(exchanges.length), ...(waiting === 0 ? [] : [l10n.t('{0} waiting', waiting)])].join(' · '),
    kind: 'exchanges',
    children: exchanges.map((exchange) => exchangeRow(exchange, keys)),
  };
}

/** A key's name identifies the tool. Without one, the client's own name is used. */
function exchangeRow(exchange: RunningExchange, keys: readonly KeyDetails[]): Row {
  const { id, localKeyId, client, model, durationMs, firstByteMs, usage, waitsFor } = exchange;
  const key = keys.find((known) => known.id === localKeyId);
  const tokens = usage && usage.outputTokens > 0 ? [l10n.t('{0} out', formatTokens(usage.outputTokens))] : [];
  const waiting = waitsFor === undefined ? l10n.t('waiting') : l10n.t('in the queue');
  const progress = firstByteMs === undefined ? [waiting] : tokens;
  const facts = [...(model === undefined ? [] : [model]), formatSeconds(durationMs), ...progress];
  const label = key?.name ?? client ?? l10n.t('a tool');
  const traffic = { exchange: id };
  return {
    id: `exchange:${id}`,
    label,
    description: facts.join(' · '),
    tooltip: [key?.name, client, ...facts, waitsFor && waitText(waitsFor)]
      .filter((fact) => fact !== undefined)
      .join('\n'),
    icon: new vscode.ThemeIcon(waitsFor ? 'clockface' : 'circle-filled', new vscode.ThemeColor('charts.blue')),
    kind: 'exchange',
    subject: id,
    traffic,
    command: { command: 'modelAccess.openTraffic', title: label, arguments: [traffic] },
  };
}
