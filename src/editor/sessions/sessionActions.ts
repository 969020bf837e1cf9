import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatSum } from '../../display/money.ts';
import { decide } from '../localKeys/sessionNotices.ts';
import { subjectOf } from '../rows/row.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** In US dollars. */
const [MIN_RAISE, MAX_RAISE] = [0.01, 1_000];

interface SessionActionServices {
  readonly worker: Pick<GatewayWorker, 'rpc'>;
}

/** Asks by how much to raise the cap of the session that a row represents. */
export async function raiseSessionCap(row: unknown, services: SessionActionServices): Promise<void> {
  const state = await stateOf(row, services);
  if (state === undefined) return;
  const { sessionId, spent, cap, step } = state;
  const text = await vscode.window.showInputBox({
    title: l10n.t('Raise the session cap of {0} by', formatBalance(cap)),
    prompt: l10n.t('In US dollars. {0} has been spent. Applies to this session only.', formatSum(spent)),
    value: String(step),
    validateInput: (value) =>
      readRaise(value) === undefined ? l10n.t('Enter an amount from $0.01 to $1,000.') : undefined,
  });
  const raise = text === undefined ? undefined : readRaise(text);
  if (raise !== undefined) await decide(sessionId, { cap: cap + raise }, services);
}

/** Asks whether to end the session that a row represents. */
export async function endSession(row: unknown, services: SessionActionServices): Promise<void> {
  const state = await stateOf(row, services);
  if (state === undefined) return;
  const end = l10n.t('End Session');
  const detail = l10n.t('Further requests are refused with a message that the tool shows.');
  const choice = await vscode.window.showWarningMessage(l10n.t('End this session?'), { modal: true, detail }, end);
  if (choice === end) await decide(state.sessionId, 'end', services);
}

async function stateOf(row: unknown, { worker }: SessionActionServices) {
  const subject = subjectOf(row);
  const sessions = await worker.rpc.askTraffic({ kind: 'cappedSessions' });
  return sessions.find(({ sessionId }) => sessionId === subject);
}

function readRaise(text: string): number | undefined {
  const amount = Number(text.trim().replace(/^\$/, ''));
  return amount >= MIN_RAISE && amount <= MAX_RAISE ? amount : undefined;
}
