import type { CappedSessionState } from '../../gateway/core/sessionNotice.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { BaseServices } from '../baseServices.ts';

/** A session without a request for this long is not listed. In milliseconds. */
const OPEN_MS = 30 * 60_000;
/** The maximum number of sessions of a key. */
const MAX_LISTED = 5;
const MAX_READ = 50;

/** A session of a key with a session cap. */
export interface OpenSession extends CappedSessionState {
  /** When its first request came, in milliseconds since the epoch. */
  readonly at: number;
  /** 0 if its requests do not name their turns. */
  readonly turns: number;
}

type SessionSources = Pick<BaseServices, 'ledger' | 'log' | 'worker'>;

/** Reads the latest sessions of keys with a session cap. Empty if they cannot be read. */
export async function readOpenSessions(
  keys: readonly IssuedKey[],
  { worker, ledger, log }: SessionSources,
  now: number,
): Promise<readonly OpenSession[]> {
  const capped = keys.filter(({ limits }) => limits?.sessionDollars !== undefined);
  if (capped.length === 0) return [];
  try {
    const known = await worker.rpc.askTraffic({ kind: 'cappedSessions' });
    const ofKeys = capped.map(async ({ id }) => {
      const open = known.filter(({ localKeyId, lastAt }) => localKeyId === id && lastAt > now - OPEN_MS);
      if (open.length === 0) return [];
      const filter = { localKeyId: id };
      const { sessions } = await worker.rpc.readLedger('sessions', { ledger, filter, limit: MAX_READ });
      return open.slice(0, MAX_LISTED).map((state) => {
        const sums = sessions.find(({ sessionId }) => sessionId === state.sessionId);
        return { ...state, at: sums?.at ?? state.lastAt, turns: sums?.turns ?? 0 };
      });
    });
    return (await Promise.all(ofKeys)).flat();
  } catch (error) {
    log.warn('The sessions of local keys could not be read', error);
    return [];
  }
}
