import { formatBalance, formatMoney, formatSum } from '../../display/money.ts';
import { toBillionths, toDollars } from '../core/cost.ts';
import type { Refusal } from '../core/refusal.ts';

/** A session whose spending has a cap, as one of its requests shows it. */
export interface CappedSession {
  readonly sessionId: string;
  /** US dollars, for all requests of the session and its subagents. */
  readonly cap: number;
  readonly keyName: string;
  /** Whether the client is Codex, which stops at once with 400 and asks again after 402. */
  readonly isCodex: boolean;
}

/** All in billionths of a US dollar. */
interface Session {
  spent: number;
  /** What the requests in progress may cost, by the ids of their exchanges. */
  readonly reserved: Map<string, number>;
  isWarned: boolean;
}

const MAX_SESSIONS = 1_000;
const WARNED_PART = 0.8;

/**
 * Refuses requests of sessions that have reached their cap. A request is sent if what the session has spent, and what its
 * requests in progress may cost at most, is below the cap. A single request can therefore exceed it by what it costs.
 */
export class SessionCaps {
  readonly #spentOn: (sessionId: string) => number;
  readonly #onWarning: (message: string) => void;
  /** The least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #sessionOf = new Map<string, Session>();

  /**
   * @param spentOn what a session has spent so far, in billionths of a US dollar. Called once for each session.
   * @param onWarning called once for each session when 80 % of its cap is spent.
   */
  constructor(spentOn: (sessionId: string) => number, onWarning: (message: string) => void) {
    this.#spentOn = spentOn;
    this.#onWarning = onWarning;
  }

  /** Sets aside what a request may cost, until {@link settle}; again for a further attempt. @returns why it may not be sent. */
  admit(exchangeId: string, capped: CappedSession, cost: number): Refusal | undefined {
    const session = this.#find(capped.sessionId);
    const cap = toBillionths(capped.cap);
    const reserved = [...session.reserved.values()].reduce((sum, each) => sum + each, 0);
    if (session.spent + reserved >= cap) return capReached(capped, session.spent, reserved);
    session.reserved.set(exchangeId, (session.reserved.get(exchangeId) ?? 0) + cost);
    this.#sessionOf.set(exchangeId, session);
    if (!session.isWarned && session.spent >= cap * WARNED_PART) {
      session.isWarned = true;
      this.#onWarning(
        `A session of the local key "${capped.keyName}" has used ${formatSum(toDollars(session.spent))} of its cap of ${formatBalance(capped.cap)}.`,
      );
    }
    return undefined;
  }

  /** Takes what others know of a session's spending, in billionths of a US dollar. It never becomes less. */
  learn(sessionId: string, spent: number): void {
    const session = this.#find(sessionId);
    session.spent = Math.max(session.spent, spent);
  }

  /** Whether something is set aside for the request. */
  has(exchangeId: string): boolean {
    return this.#sessionOf.has(exchangeId);
  }

  /** A request has ended. @param cost undefined if nobody knows it. */
  settle(exchangeId: string, cost = 0): void {
    const session = this.#sessionOf.get(exchangeId);
    if (session === undefined) return;
    this.#sessionOf.delete(exchangeId);
    session.reserved.delete(exchangeId);
    session.spent += cost;
  }

  #find(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? {
      spent: this.#spentOn(sessionId),
      reserved: new Map<string, number>(),
      isWarned: false,
    };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    for (const [oldest, { reserved }] of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      if (reserved.size === 0) this.#sessions.delete(oldest);
    }
    return session;
  }
}

function capReached({ cap, keyName, isCodex }: CappedSession, spent: number, reserved: number): Refusal {
  const isReached = spent >= toBillionths(cap);
  const message = [
    `This session has used ${formatSum(toDollars(spent))} of its cap of ${formatBalance(cap)} for the local key "${keyName}".`,
    ...(isReached ? [] : [`Its requests in progress may use up the rest, up to ${formatMoney(toDollars(reserved))}.`]),
    'Nothing was sent or charged.',
    isReached
      ? 'Asking again does not help: start a new session, or raise the dollars per session among the limits of the key.'
      : 'Try again when they have ended.',
  ].join(' ');
  const headers = isReached ? { 'x-should-retry': 'false' } : {};
  return isCodex && isReached
    ? { error: { kind: 'invalidRequest', status: 400, message }, headers }
    : { error: { kind: 'credit', status: 402, message }, headers };
}
