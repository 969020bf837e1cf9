import * as vscode from 'vscode';
import type { SessionDecision } from '../../gateway/core/sessionNotice.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { SessionCap } from '../../pages/session/protocol.ts';
import type { SessionPageMessage } from '../../pages/session/sessionMessages.ts';
import { figuresOf } from '../../pages/session/sessionReport.ts';
import { decide } from '../localKeys/sessionNotices.ts';
import { endSession } from './sessionActions.ts';
import type { SessionServices } from './sessionServices.ts';

export type CapMessage = Extract<SessionPageMessage, { readonly type: 'raiseCap' | 'endSession' | 'setCap' }>;

/**
 * Returns the cap of a session and what it has used of it.
 * @param rows All requests of the session, the latest first.
 */
export async function readCap(
  rows: readonly ExchangeRow[],
  { worker, localKeys }: Pick<SessionServices, 'worker' | 'localKeys'>,
): Promise<SessionCap | undefined> {
  const [latest] = rows;
  const { keys } = await localKeys.read();
  const key = keys.find(({ id }) => id === latest?.localKeyId);
  if (key === undefined) return undefined;
  const sessions = await worker.rpc.askTraffic({ kind: 'cappedSessions' });
  const known = sessions.find(({ sessionId }) => sessionId === latest?.sessionId);
  if (known !== undefined) return { ...known, isKnown: true };
  const cap = key.limits?.sessionDollars;
  const nothing = { step: cap ?? 0, spent: figuresOf(rows).cost, isKnown: false, isWaiting: false, isEnded: false };
  return cap === undefined ? nothing : { ...nothing, cap };
}

/** Applies what the user has decided on the page. */
export async function actOnCap(
  message: CapMessage,
  { sessionId, localKeyId }: Pick<ExchangeRow, 'sessionId' | 'localKeyId'>,
  services: Pick<SessionServices, 'worker'>,
): Promise<void> {
  if (message.type === 'setCap') {
    await vscode.commands.executeCommand('modelAccess.changeLocalKey', { subject: localKeyId });
    return;
  }
  if (message.type === 'endSession') return endSession({ subject: sessionId }, services);
  const sessions = await services.worker.rpc.askTraffic({ kind: 'cappedSessions' });
  const known = sessions.find((session) => session.sessionId === sessionId);
  if (known === undefined) return;
  const decision: SessionDecision = { cap: known.cap + message.raise };
  await decide(known.sessionId, decision, services);
}
