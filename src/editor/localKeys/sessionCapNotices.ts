import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum } from '../../display/money.ts';
import type { SessionDecision, SessionNotice } from '../../gateway/core/sessionNotice.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';

export interface SessionCapServices {
  readonly worker: GatewayWorker;
  readonly gateway: GatewayController;
}

/** The sessions whose request was refused while their question was open. */
const refused = new Set<string>();

/**
 * Warns about a session that is close to its cap, and asks about one that has reached it. Shows both in the focused
 * window and in the window that runs the gateway, because the user of a tool may not look at the editor.
 */
export async function tellOfSession(notice: SessionNotice, services: SessionCapServices): Promise<void> {
  const { kind, sessionId, cap, step } = notice;
  if (kind === 'refused') {
    refused.add(sessionId);
    return;
  }
  const { state } = services.gateway;
  const isOwner = state.state === 'running' && state.owner === 'self';
  if (!isOwner && !vscode.window.state.focused) return;
  const raise = l10n.t('Raise by {0}', formatBalance(step));
  const [end, open] = [l10n.t('End Session'), l10n.t('Open Session')];
  const actions = kind === 'waits' ? [raise, end, open] : [raise, open];
  const choice = await vscode.window.showWarningMessage(noticeText(notice), ...actions);
  if (choice === open) await vscode.commands.executeCommand('modelAccess.openSession', sessionId);
  if (choice === raise) await decide(sessionId, { cap: cap + step }, services);
  if (choice === end) await decide(sessionId, 'end', services);
}

/** The message for a session that is close to its cap or has reached it. */
function noticeText({ kind, keyName, spent, cap }: SessionNotice): string {
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

async function decide(sessionId: string, decision: SessionDecision, { worker }: SessionCapServices): Promise<void> {
  await worker.rpc.askTraffic({ kind: 'decideSession', sessionId, decision });
  if (!refused.delete(sessionId) || decision === 'end') return;
  void vscode.window.showInformationMessage(
    l10n.t('The cap was raised. The waiting request was refused; the next one goes through.'),
  );
}
