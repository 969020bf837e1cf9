/** Rows for the gateway: its address, moved routes, running requests, its keys, and the tools that use it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatClock, formatSeconds } from '../../display/time.ts';
import { waitText } from '../../display/waitText.ts';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { QueueState } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { resetText } from '../../pages/localKey/budgetStatus.ts';
import type { RouteMove } from '../../pages/routes/routeMoves.ts';
import { type Row, warningIcon } from '../rows/row.ts';
import type { ListeningAddress } from '../worker/gatewayListener.ts';
import type { OpenSession } from './cappedSessions.ts';
import { keyRow } from './keyRow.ts';

/** The view updates relative times once a minute, so seconds would be wrong most of the time. */
const MINUTE_MS = 60_000;

/** A tool whose configuration refers to the gateway's current or earlier address. */
export interface ToolFacts {
  readonly id: string;
  readonly name: string;
  /** The ID of its local key, which may have been revoked. */
  readonly keyId: string;
  /** The name of its local key. Undefined if it was revoked. */
  readonly key?: string;
  /** The address in its configuration, if it differs from the gateway's. */
  readonly staleAddress?: string;
}

export interface GatewayFacts {
  readonly listening: ListeningAddress;
  /** In milliseconds since the epoch. Undefined if it is unknown. */
  readonly since?: number;
  /** Undefined if they cannot be read. */
  readonly keys?: readonly IssuedKey[];
  readonly spend: readonly KeySpend[];
  readonly tools: readonly ToolFacts[];
  /** The exchanges in progress. */
  readonly exchanges: readonly RunningExchange[];
  readonly moves: readonly RouteMove[];
  /** The latest sessions of keys with a session cap. */
  readonly sessions: readonly OpenSession[];
  /** The queues of keys with limits. Undefined if they are unknown. */
  readonly queues?: readonly QueueState[];
}

export function gatewayRows(facts: GatewayFacts, now: number): Row[] {
  const { listening, since, keys, tools, exchanges, moves } = facts;
  return [
    stateRow(listening, since, now),
    addressRow(listening),
    ...moves.map(movedRouteRow),
    ...(exchanges.length === 0 ? [] : [exchangesRow(exchanges, keys ?? [])]),
    keys === undefined ? unreadableKeysRow() : keysRow(keys, facts, now),
    ...(tools.length === 0 ? [] : [toolsRow(tools)]),
  ];
}

/** Rows with the reason why the gateway does not run, and what to do. */
export function failedRows(problem: string, isPortInUse: boolean): Row[] {
  const icon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return [
    { id: 'problem', label: problem, tooltip: problem, icon, kind: 'gatewayProblem' },
    ...(isPortInUse ? [actionRow('modelAccess.useAnotherPort', l10n.t('Use another port'), 'radio-tower')] : []),
    actionRow('modelAccess.startGateway', l10n.t('Try again'), 'refresh'),
    actionRow('modelAccess.openLog', l10n.t('Open log'), 'output'),
  ];
}

/** Rows for tools that are connected to a gateway that is off. */
export function offRows(tools: readonly ToolFacts[], startsWithEditor: boolean): Row[] {
  const label = l10n.t('The gateway is off');
  const autoStart = ['workbench.action.openSettings', l10n.t('Start it with the editor'), 'gear'] as const;
  const rows = tools.map((tool) => ({ ...toolRow(tool), description: l10n.t('cannot work while the gateway is off') }));
  return [
    { id: 'off', label, icon: warningIcon() },
    actionRow('modelAccess.startGateway', l10n.t('Start gateway'), 'play'),
    ...(startsWithEditor ? [] : [actionRow(...autoStart, ['modelAccess.gateway.autoStart'])]),
    toolsRow(tools, rows),
  ];
}

function actionRow(command: string, label: string, icon: string, args: readonly string[] = []): Row {
  return {
    id: command,
    label,
    icon: new vscode.ThemeIcon(icon),
    command: { command, title: label, arguments: [...args] },
  };
}

function stateRow({ owner }: ListeningAddress, since: number | undefined, now: number): Row {
  const ms = since === undefined ? 0 : now - since;
  const elapsed = ms < MINUTE_MS ? [] : [l10n.t('for {0}', formatSeconds(ms - (ms % MINUTE_MS)))];
  const place = owner === 'self' ? l10n.t('in this window') : l10n.t('in another window');
  return {
    id: 'state',
    label: l10n.t('Running'),
    description: [...elapsed, place].join(' · '),
    tooltip:
      owner === 'self'
        ? l10n.t('The gateway runs in this window. When the window closes, another window takes over.')
        : l10n.t('The gateway runs in another window. When that window closes, this one can take over.'),
    icon: new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed')),
    kind: 'gatewayState',
  };
}

function addressRow({ address }: ListeningAddress): Row {
  return {
    id: 'address',
    label: address,
    tooltip: l10n.t('Base address for tools. SDKs for the Messages format need it without /v1.'),
    icon: new vscode.ThemeIcon('radio-tower'),
    kind: 'gatewayAddress',
    subject: address,
    children: FORMAT_NAMES.map((name) => ({
      id: `format:${name}`,
      label: name,
      description: ENDPOINT_PATHS[name],
      tooltip: address + ENDPOINT_PATHS[name],
      kind: 'gatewayEndpoint',
      subject: address + ENDPOINT_PATHS[name],
    })),
  };
}

function keysRow(keys: readonly IssuedKey[], { spend, exchanges, sessions, queues }: GatewayFacts, now: number): Row {
  const rows = keys.map((key) =>
    keyRow(
      {
        key,
        waiting: exchanges.filter(({ localKeyId, waitsFor }) => localKeyId === key.id && waitsFor !== undefined),
        queue: queues && (queues.find(({ localKeyId }) => localKeyId === key.id) ?? unusedQueue(key.id)),
      },
      spend.find(({ id }) => id === key.id),
      sessions.filter(({ localKeyId }) => localKeyId === key.id),
      now,
    ),
  );
  const periods = keys.flatMap(({ budgets = [] }) => budgets.map(({ period }) => period));
  const reset = resetText(periods, now);
  const isUnused = keys.length <= 1 && spend.every(({ lastUsedAt }) => lastUsedAt === undefined);
  return {
    id: 'keys',
    label: l10n.t('Local keys'),
    description: [String(keys.length), ...(reset === undefined ? [] : [reset])].join(' · '),
    kind: 'localKeys',
    children: [...rows, newKeyRow(isUnused)],
  };
}

/** The gateway knows only the queues of keys that were used since it started. */
function unusedQueue(localKeyId: string): QueueState {
  return { localKeyId, running: 0, requests: 0, tokens: 0, longestWaitMs: 0, refused: 0 };
}

function newKeyRow(isFirst: boolean): Row {
  const label = isFirst ? l10n.t('Add a local key for your first tool') : l10n.t('New local key');
  return actionRow('modelAccess.createLocalKey', label, 'add');
}

/** The row's command offers to remove all keys. */
function unreadableKeysRow(): Row {
  const label = l10n.t('Could not read the local keys');
  return {
    id: 'keys',
    label,
    icon: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
    command: { command: 'modelAccess.manageLocalKeys', title: label },
  };
}

function toolsRow(tools: readonly ToolFacts[], children = tools.map(toolRow)): Row {
  return {
    id: 'tools',
    label: l10n.t('Connected tools'),
    description: String(tools.length),
    kind: 'tools',
    children,
  };
}

function toolRow({ id, name, keyId, key, staleAddress }: ToolFacts): Row {
  const traffic = { localKeyId: keyId };
  if (staleAddress === undefined) {
    return {
      id: `tool:${id}`,
      label: name,
      description: key === undefined ? l10n.t('its local key was revoked') : l10n.t('with the key “{0}”', key),
      icon: new vscode.ThemeIcon(key === undefined ? 'warning' : 'plug'),
      kind: `${key === undefined ? 'staleTool' : 'tool'}.${id}`,
      subject: id,
      traffic,
    };
  }
  return {
    id: `tool:${id}`,
    label: name,
    description: l10n.t('uses an earlier address'),
    tooltip: l10n.t('It is configured for {0}, but the gateway no longer runs there.', staleAddress),
    icon: warningIcon(),
    kind: `staleTool.${id}`,
    subject: id,
    traffic,
  };
}

/** A row for a route that failover has moved. It stays until the route's first model answers again. */
function movedRouteRow({ route, rule, from, to, exchange }: RouteMove): Row {
  const label = l10n.t('{0} moved to {1}', route, to);
  const traffic = { exchange };
  return {
    id: `moved:${route}:${rule ?? ''}:${from}`,
    label,
    description: l10n.t('instead of {0}', from),
    tooltip: l10n.t(
      '{0} answers the requests for the route {1} because {2} failed. They return to {2} once it is available again. Select to show the first request that moved.',
      to,
      route,
      from,
    ),
    icon: warningIcon('type-hierarchy-sub'),
    kind: 'movedRoute',
    traffic,
    command: { command: 'modelAccess.openTraffic', title: label, arguments: [traffic] },
  };
}

function exchangesRow(exchanges: readonly RunningExchange[], keys: readonly KeyDetails[]): Row {
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
  const { id, at, localKeyId, client, model, firstByteMs, waitsFor } = exchange;
  const key = keys.find((known) => known.id === localKeyId);
  const waiting = waitsFor === undefined ? l10n.t('waiting') : l10n.t('in the queue');
  const begun = l10n.t('since {0}', formatClock(at));
  const facts = [...(model === undefined ? [] : [model]), begun, ...(firstByteMs === undefined ? [waiting] : [])];
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
