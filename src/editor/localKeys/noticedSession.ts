import * as l10n from '@vscode/l10n';
import { sessionName } from '../../display/sessionName.ts';
import type { Log } from '../log/log.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** The session that a notice is about. */
export interface NoticedSession {
  /** The session's name on its page and in the Traffic view, or a description if its start is unknown. */
  readonly name: string;
  /** 0 if it is unknown. */
  readonly turns: number;
  /** What its subagents have cost, in US dollars. Undefined if nothing or unknown. */
  readonly subagentCost?: number | undefined;
}

export interface SessionSource {
  readonly worker: Pick<GatewayWorker, 'rpc'>;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  readonly log: Log;
}

/** Reads what the ledger has about a session. The notice must be shown even if it cannot be read. */
export async function noticedSession(
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
