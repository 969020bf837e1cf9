import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatEstimate, formatSum } from '../../display/money.ts';
import { sessionName } from '../../display/sessionName.ts';
import { capLeftText } from '../../display/turns.ts';
import type { CapNotice, LoopNotice, SessionDecision, SessionNotice } from '../../gateway/core/sessionNotice.ts';
import type { BaseServices } from '../baseServices.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

export interface SessionNoticeServices extends SessionSource {
  readonly gateway: GatewayController;
}

/** The sessions with a request that was refused while its question was open. */
const refused = new Set<string>();

/**
 * Warns about a session that is close to its cap, asks about one that has reached it, and reports one that repeats the
 * same call. Shows the notices in the focused window and in the window that runs the gateway, because the user of a
 * tool may not look at the editor.
 */
export async function notifyOfSession(notice: SessionNotice, services: SessionNoticeServices): Promise<void> {
  if (notice.kind === 'decided') return;
  if (notice.kind === 'refused') {
    refused.add(notice.sessionId);
    return;
  }
  const { state } = services.gateway;
  const isOwner = state.state === 'running' && state.owner === 'self';
  if (!isOwner && !vscode.window.state.focused) return;
  if (notice.kind === 'loops') await notifyOfLoop(notice, services);
  else await notifyOfCap(notice, services);
}

async function notifyOfCap(notice: CapNotice, services: SessionNoticeServices): Promise<void> {
  const { kind, sessionId, cap, step } = notice;
  const raise = l10n.t('Raise by {0}', formatBalance(step));
  const [end, open] = [l10n.t('End Session'), l10n.t('Open Session')];
  const actions = kind === 'waits' ? [raise, end, open] : [raise, open];
  const choice = await vscode.window.showWarningMessage(
    capText(notice, await noticedSession(notice, services)),
    ...actions,
  );
  if (choice === open) await openSession(sessionId);
  if (choice === raise) await decide(sessionId, { cap: cap + step }, services);
  if (choice === end) await decide(sessionId, 'end', services);
}

/** Continuing needs no action: the next notice comes after ten more rounds in any case. */
async function notifyOfLoop(notice: LoopNotice, services: SessionNoticeServices): Promise<void> {
  const { sessionId, rounds, isEnded } = notice;
  const { name } = await noticedSession(notice, services);
  const [end, open, go] = [l10n.t('End Session'), l10n.t('Open Session'), l10n.t('Continue Anyway')];
  const message = isEnded
    ? l10n.t('{0} was ended: it made the same call with the same result {1} times in a row.', name, rounds)
    : l10n.t('{0} has made the same call with the same result {1} times in a row.', name, rounds);
  const choice = await vscode.window.showWarningMessage(message, ...(isEnded ? [open] : [end, go, open]));
  if (choice === open) await openSession(sessionId);
  if (choice === end) await decide(sessionId, 'end', services);
}

async function openSession(sessionId: string): Promise<void> {
  await vscode.commands.executeCommand('modelAccess.openSession', sessionId);
}

/** The message for a session that is close to its cap, has reached it, or would exceed it with its next request. */
function capText(notice: CapNotice, session: NoticedSession): string {
  if (notice.kind !== 'nearlySpent') return waitsText(notice, session);
  const { spent, cap } = notice;
  const { name, turns } = session;
  const left = capLeftText({ cap, spent, turns, cost: spent }) ?? formatBalance(0);
  return l10n.t('{0} has used {1} of its session cap of {2}: {3}.', name, formatSum(spent), formatBalance(cap), left);
}

function waitsText({ spent, cap, needs }: CapNotice, { name, subagentCost }: NoticedSession): string {
  const figures = [name, formatSum(spent), formatBalance(cap)];
  const subagents = subagentCost === undefined ? undefined : formatSum(subagentCost);
  if (needs === undefined) {
    return subagents === undefined
      ? l10n.t('{0} has used {1} of its session cap of {2}. Its next request waits for your answer.', ...figures)
      : l10n.t(
          '{0} has used {1} of its session cap of {2}, {3} of it by subagents. Its next request waits for your answer.',
          ...figures,
          subagents,
        );
  }
  const needed = formatEstimate(needs);
  return subagents === undefined
    ? l10n.t(
        '{0} would exceed its session cap of {2}: {1} is spent, and its next request needs {3}. It waits for your answer.',
        ...figures,
        needed,
      )
    : l10n.t(
        '{0} would exceed its session cap of {2}: {1} is spent, {4} of it by subagents, and its next request needs {3}. It waits for your answer.',
        ...figures,
        needed,
        subagents,
      );
}

/** Returns how many sessions wait for the user at their caps. */
export async function waitingSessions({ worker }: Pick<SessionNoticeServices, 'worker'>): Promise<number> {
  const sessions = await worker.rpc.askTraffic({ kind: 'cappedSessions' });
  return sessions.filter(({ isWaiting }) => isWaiting).length;
}

/** Sends the user's decision to the gateway. */
export async function decide(
  sessionId: string,
  decision: SessionDecision,
  { worker }: Pick<SessionNoticeServices, 'worker'>,
): Promise<void> {
  await worker.rpc.askTraffic({ kind: 'decideSession', sessionId, decision });
  if (!refused.delete(sessionId) || decision === 'end') return;
  void vscode.window.showInformationMessage(
    l10n.t('The cap was raised. The waiting request was refused; the next one goes through.'),
  );
}

/** The session that a notice is about. */
interface NoticedSession {
  /** The session's name on its page and in the Traffic view, or a description if its start is unknown. */
  readonly name: string;
  /** 0 if it is unknown. */
  readonly turns: number;
  /** What its subagents have cost, in US dollars. Undefined if nothing or unknown. */
  readonly subagentCost?: number | undefined;
}

interface SessionSource extends Pick<BaseServices, 'ledger' | 'log'> {
  readonly worker: Pick<GatewayWorker, 'rpc'>;
}

/** Reads what the ledger has about a session. The notice must be shown even if it cannot be read. */
async function noticedSession(
  { sessionId, keyName }: { readonly sessionId: string; readonly keyName: string },
  { worker, ledger, log }: SessionSource,
): Promise<NoticedSession> {
  const unknown = { name: l10n.t('A session of “{0}”', keyName), turns: 0 };
  try {
    const { sessions } = await worker.rpc.readLedger('sessions', { ledger, filter: { sessionId }, limit: 1 });
    const [known] = sessions;
    if (known === undefined) return unknown;
    const { at, turns, subagentCost } = known;
    return { name: sessionName(keyName, at), turns, subagentCost };
  } catch (error) {
    log.warn('The session of a notice could not be read', error);
    return unknown;
  }
}
