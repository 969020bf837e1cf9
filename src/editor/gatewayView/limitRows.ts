/** Rows for the limits of a local key: its queue, what was sent within the last minute, and its sessions with a cap. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum, spokenMoney } from '../../display/money.ts';
import { formatClock, formatSeconds } from '../../display/time.ts';
import { formatTokensExact, formatWindow } from '../../display/tokens.ts';
import { waitText } from '../../display/waitText.ts';
import { MAX_WAIT_MS, type QueueState } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import { WARNING_SHARE } from '../../pages/localKey/budgetStatus.ts';
import { type Row, warningIcon } from '../rows/row.ts';
import type { OpenSession } from './cappedSessions.ts';

/** A local key and its queue of requests that wait for its limits. */
export interface LimitedKey {
  readonly key: IssuedKey;
  /** The key's requests in the queue, in the order of their arrival. */
  readonly waiting: readonly RunningExchange[];
  /** Undefined if it is unknown. */
  readonly queue: QueueState | undefined;
}

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
  const { id, at, model, client, waitsFor } = exchange;
  const label = model ?? client ?? l10n.t('a tool');
  const facts = [l10n.t('since {0}', formatClock(at)), ...(isNext ? [l10n.t('next')] : [])];
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
    icon: word === undefined ? new vscode.ThemeIcon('clockface') : warningIcon(),
    kind: 'requestLimit',
    subject: id,
    spoken: [name, label, ...facts(usedText({ ...minute, format: formatTokensExact }))].join(', '),
  };
}

function wordOf(share: number): string | undefined {
  if (share < WARNING_SHARE) return undefined;
  return share < 1 ? l10n.t('almost at the limit') : l10n.t('at the limit');
}

const CHANGE = 'modelAccess.changeLocalKey';
const SHOW = 'modelAccess.openTraffic';

/** The figures of a key's request limits, with links to change them and to show what is running. */
function queueHover(limited: LimitedKey): vscode.MarkdownString {
  const { id, name } = limited.key;
  const rows = [...parallelFacts(limited), ...minuteFacts(limited), ...dayFacts(limited)];
  const hover = new vscode.MarkdownString();
  hover.isTrusted = { enabledCommands: [CHANGE, SHOW] };
  hover.appendText(name);
  hover.appendMarkdown(`\n\n| | |\n|:--|:--|\n${rows.map(([fact, figure]) => `| ${fact} | ${figure} |\n`).join('')}`);
  hover.appendMarkdown('\n---\n\n');
  hover.appendMarkdown(
    [
      link(l10n.t('Change Limits'), CHANGE, { subject: id }),
      link(l10n.t('Show Running Requests'), SHOW, { localKeyId: id, outcome: 'running' }),
    ].join(' &nbsp;&nbsp; '),
  );
  return hover;
}

type Fact = readonly [name: string, figure: string];

function parallelFacts({ key, waiting, queue }: LimitedKey): Fact[] {
  const parallel = key.limits?.parallel;
  const queued = l10n.t('{0} waiting', waiting.length);
  if (parallel === undefined || queue === undefined) return [[l10n.t('Queue'), queued]];
  return [[l10n.t('Parallel requests'), `${l10n.t('{0} of {1} running', queue.running, parallel)}, ${queued}`]];
}

function minuteFacts(limited: LimitedKey): Fact[] {
  const { inMs = 0, tokens = 0 } = limited.queue?.frees ?? {};
  const free = tokens === 0 ? '' : `, ${l10n.t('{0} free in {1}', formatWindow(tokens), formatSeconds(inMs))}`;
  return minuteLimits(limited).map((minute) => {
    const used = usedText(minute);
    return [minute.label, minute.unit === 'tokens' ? used + free : used];
  });
}

function dayFacts({ queue }: LimitedKey): Fact[] {
  if (queue === undefined) return [];
  const wait = l10n.t('{0} of at most {1}', formatSeconds(queue.longestWaitMs), formatSeconds(MAX_WAIT_MS));
  return [
    [l10n.t('Longest wait today'), wait],
    [l10n.t('Refused with 429 today'), String(queue.refused)],
  ];
}

function link(label: string, command: string, argument: unknown): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** A limit of a key per minute, and what the last minute used of it. */
interface MinuteLimit {
  readonly unit: 'requests' | 'tokens';
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly format: (figure: number) => string;
}

/** Empty if the key has none, or the figures are unknown. */
function minuteLimits({ key: { limits = {} }, queue }: LimitedKey): MinuteLimit[] {
  if (queue === undefined) return [];
  const { requestsPerMinute, tokensPerMinute } = limits;
  const found: MinuteLimit[] = [];
  if (requestsPerMinute !== undefined) {
    const label = l10n.t('Requests per minute');
    found.push({ unit: 'requests', label, used: queue.requests, limit: requestsPerMinute, format: formatTokensExact });
  }
  if (tokensPerMinute !== undefined) {
    const label = l10n.t('Tokens per minute');
    found.push({ unit: 'tokens', label, used: queue.tokens, limit: tokensPerMinute, format: formatWindow });
  }
  return found;
}

function usedText({ used, limit, format }: MinuteLimit): string {
  return l10n.t('{0} of {1}', format(used), format(limit));
}

/** @returns undefined if the key has no session cap. */
export function sessionCapRow({ id, name, limits }: IssuedKey, sessions: readonly OpenSession[]): Row | undefined {
  const cap = limits?.sessionDollars;
  if (cap === undefined) return undefined;
  const open = sessions.filter(({ isEnded }) => !isEnded).length;
  const facts = [l10n.t('{0} for each session', formatBalance(cap)), ...(open === 0 ? [] : [l10n.t('{0} open', open)])];
  return {
    // The editor would keep a row collapsed that gets its first children.
    id: `key:${id}:sessionCap:${sessions.length > 0}`,
    label: l10n.t('Session cap'),
    description: facts.join(' · '),
    tooltip: l10n.t('Maximum cost of each session of this key, including subagents.'),
    icon: new vscode.ThemeIcon('shield'),
    kind: 'sessionCap',
    subject: id,
    ...(sessions.length > 0 && { children: sessions.map((session) => sessionRow(session, name)) }),
  };
}

type CapState = 'open' | 'nearly' | 'reached' | 'waits' | 'ended';

function sessionRow(session: OpenSession, keyName: string): Row {
  const { sessionId, at, spent, cap, turns } = session;
  const state = stateOf(session);
  const time = formatClock(at);
  const turn = turns === 0 ? undefined : l10n.t('turn {0}', turns);
  const facts = [l10n.t('{0} of {1}', formatSum(spent), formatBalance(cap)), WORDS[state]?.(), turn];
  const spoken = [keyName, time, l10n.t('{0} of {1}', spokenMoney(spent), spokenMoney(cap)), WORDS[state]?.(), turn];
  return {
    id: `session:${sessionId}`,
    label: time,
    description: facts.filter((fact) => fact !== undefined).join(' · '),
    icon: ICONS[state](),
    kind: state === 'ended' ? 'endedSession' : 'cappedSession',
    subject: sessionId,
    spoken: spoken.filter((part) => part !== undefined).join(', '),
    traffic: { sessionId },
    command: { command: 'modelAccess.openSession', title: l10n.t('Open Session'), arguments: [sessionId] },
  };
}

function stateOf({ isEnded, isWaiting, spent, cap }: OpenSession): CapState {
  if (isEnded) return 'ended';
  if (isWaiting) return 'waits';
  if (spent >= cap) return 'reached';
  return spent >= cap * WARNING_SHARE ? 'nearly' : 'open';
}

const WORDS: Readonly<Partial<Record<CapState, () => string>>> = {
  nearly: () => l10n.t('almost used up'),
  reached: () => l10n.t('cap reached'),
  waits: () => l10n.t('waits for your answer'),
  ended: () => l10n.t('ended'),
};

const ICONS: Readonly<Record<CapState, () => vscode.ThemeIcon>> = {
  open: () => new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.blue')),
  nearly: warningIcon,
  reached: warningIcon,
  waits: warningIcon,
  ended: () => new vscode.ThemeIcon('circle-slash'),
};
