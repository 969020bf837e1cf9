import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum } from '../../display/money.ts';
import type { CapNotice, LoopNotice, SessionDecision, SessionNotice } from '../../gateway/core/sessionNotice.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';

export interface SessionNoticeServices {
  readonly worker: GatewayWorker;
  readonly gateway: GatewayController;
}

/** The sessions with a request that was refused while its question was open. */
const refused = new Set<string>();

/**
 * Warns about a session that is close to its cap, asks about one that has reached it, and reports one that repeats the
 * same call. Shows the notices in the focused window and in the window that runs the gateway, because the user of a
 * tool may not look at the editor.
 */
export async function tellOfSession(notice: SessionNotice, services: SessionNoticeServices): Promise<void> {
  if (notice.kind === 'refused') {
    refused.add(notice.sessionId);
    return;
  }
  const { state } = services.gateway;
  const isOwner = state.state === 'running' && state.owner === 'self';
  if (!isOwner && !vscode.window.state.focused) return;
  if (notice.kind === 'loops') await tellOfLoop(notice, services);
  else await tellOfCap(notice, services);
}

async function tellOfCap(notice: CapNotice, services: SessionNoticeServices): Promise<void> {
  const { kind, sessionId, cap, step } = notice;
  const raise = l10n.t('Raise by {0}', formatBalance(step));
  const [end, open] = [l10n.t('End Session'), l10n.t('Open Session')];
  const actions = kind === 'waits' ? [raise, end, open] : [raise, open];
  const choice = await vscode.window.showWarningMessage(capText(notice), ...actions);
  if (choice === open) await openSession(sessionId);
  if (choice === raise) await decide(sessionId, { cap: cap + step }, services);
  if (choice === end) await decide(sessionId, 'end', services);
}

/** Continuing needs no action: the next notice comes after ten more rounds in any case. */
async function tellOfLoop(notice: LoopNotice, services: SessionNoticeServices): Promise<void> {
  const { sessionId, keyName, rounds, isEnded } = notice;
  const [end, open, go] = [l10n.t('End Session'), l10n.t('Open Session'), l10n.t('Continue Anyway')];
  const told = isEnded
    ? l10n.t(
        'A session of “{0}” was ended: it made the same call with the same result {1} times in a row.',
        keyName,
        rounds,
      )
    : l10n.t('A session of “{0}” has made the same call with the same result {1} times in a row.', keyName, rounds);
  const choice = await vscode.window.showWarningMessage(told, ...(isEnded ? [open] : [end, go, open]));
  if (choice === open) await openSession(sessionId);
  if (choice === end) await decide(sessionId, 'end', services);
}

async function openSession(sessionId: string): Promise<void> {
  await vscode.commands.executeCommand('modelAccess.openSession', sessionId);
}

/** The message for a session that is close to its cap or has reached it. */
function capText({ kind, keyName, spent, cap }: CapNotice): string {
  const [used, whole] = [formatSum(spent), formatBalance(cap)];
  return kind === 'nearlySpent'
    ? l10n.t('A session of “{0}” has used {1} of its cap of {2}.', keyName, used, whole)
    : l10n.t(
        'A session of “{0}” has used {1} of its cap of {2}. Its next request waits for your answer.',
        keyName,
        used,
        whole,
      );
}

async function decide(sessionId: string, decision: SessionDecision, { worker }: SessionNoticeServices): Promise<void> {
  await worker.rpc.askTraffic({ kind: 'decideSession', sessionId, decision });
  if (!refused.delete(sessionId) || decision === 'end') return;
  void vscode.window.showInformationMessage(
    l10n.t('The cap was raised. The waiting request was refused; the next one goes through.'),
  );
}
