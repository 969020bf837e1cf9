/** Rows for the sessions of a local key with a session cap. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum, spokenMoney } from '../../display/money.ts';
import { formatClock } from '../../display/time.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { WARNING_SHARE } from '../../pages/localKey/budgetStatus.ts';
import type { Row } from '../rows/row.ts';
import type { OpenSession } from './cappedSessions.ts';

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

const warning = () => new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

const ICONS: Readonly<Record<CapState, () => vscode.ThemeIcon>> = {
  open: () => new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.blue')),
  nearly: warning,
  reached: warning,
  waits: warning,
  ended: () => new vscode.ThemeIcon('circle-slash'),
};
