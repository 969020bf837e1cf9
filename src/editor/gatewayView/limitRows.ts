/** Rows for the request limits of a local key: its queue, and what was sent within the last minute. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatSeconds } from '../../display/time.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import { waitText } from '../../display/waitText.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import { WARNING_SHARE } from '../localKeys/budgetStatus.ts';
import type { Row } from '../rows/row.ts';
import type { LimitedKey } from './limitedKey.ts';
import { type MinuteLimit, minuteLimits, usedText } from './minuteLimits.ts';
import { queueHover } from './queueHover.ts';

/** A row for each limit that the key has. The queue also has one while a request waits for another limit. */
export function limitRows(limited: LimitedKey): Row[] {
  const { key, waiting } = limited;
  const hasQueue = key.limits?.parallel !== undefined || waiting.length > 0;
  return [...(hasQueue ? [queueRow(limited)] : []), ...minuteLimits(limited).map((limit) => minuteRow(limited, limit))];
}

function queueRow(limited: LimitedKey): Row {
  const { key, waiting, queue } = limited;
  const { id, name, limits } = key;
  const label = l10n.t('Queue');
  const facts = [
    ...(waiting.length === 0 ? [] : [l10n.t('{0} waiting', waiting.length)]),
    ...(limits?.parallel === undefined || queue === undefined
      ? []
      : [l10n.t('{0} of {1} running', queue.running, limits.parallel)]),
  ];
  return {
    // The editor would keep a row collapsed that gets its first children.
    id: `key:${id}:queue:${waiting.length > 0}`,
    label,
    description: facts.join(' · '),
    tooltip: queueHover(limited),
    icon: new vscode.ThemeIcon('list-ordered'),
    kind: 'requestQueue',
    subject: id,
    traffic: { localKeyId: id, outcome: 'running' },
    spoken: [name, label, ...facts].join(', '),
    ...(waiting.length > 0 && { children: waiting.map((exchange, index) => waitingRow(exchange, index === 0, name)) }),
  };
}

/** The same actions as for a running request: it can be shown in Traffic and canceled. */
function waitingRow(exchange: RunningExchange, isNext: boolean, keyName: string): Row {
  const { id, model, client, durationMs, waitsFor } = exchange;
  const label = model ?? client ?? l10n.t('a tool');
  const facts = [l10n.t('for {0}', formatSeconds(durationMs)), ...(isNext ? [l10n.t('next')] : [])];
  const traffic = { exchange: id };
  return {
    id: `waiting:${id}`,
    label,
    description: facts.join(' · '),
    ...(waitsFor !== undefined && { tooltip: waitText(waitsFor) }),
    icon: new vscode.ThemeIcon('circle-large'),
    kind: 'exchange',
    subject: id,
    traffic,
    command: { command: 'modelAccess.openTraffic', title: label, arguments: [traffic] },
    spoken: [keyName, label, l10n.t('in the queue'), ...facts].join(', '),
  };
}

function minuteRow(limited: LimitedKey, minute: MinuteLimit): Row {
  const { id, name } = limited.key;
  const { unit, label, used, limit } = minute;
  const word = wordOf(used / limit);
  const facts = (text: string) => (word === undefined ? [text] : [text, word]);
  return {
    id: `key:${id}:${unit}`,
    label,
    description: facts(usedText(minute)).join(' · '),
    tooltip: queueHover(limited),
    icon: word === undefined ? new vscode.ThemeIcon('clockface') : warning(),
    kind: 'requestLimit',
    subject: id,
    spoken: [name, label, ...facts(usedText({ ...minute, format: formatTokensExact }))].join(', '),
  };
}

const warning = () => new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

function wordOf(share: number): string | undefined {
  if (share < WARNING_SHARE) return undefined;
  return share < 1 ? l10n.t('almost at the limit') : l10n.t('at the limit');
}
