import { formatBalance, formatMoney, formatSum } from '../../display/money.ts';
import { toBillionths, toDollars } from '../core/cost.ts';
import { finalRefusal, type Refusal } from '../core/refusal.ts';
import type { CapNotice, SessionDecision } from '../core/sessionNotice.ts';

/** A session whose spending has a cap, as seen by one of its requests. */
export interface CappedSession {
  readonly sessionId: string;
  /** US dollars, for all requests of the session and its subagents. */
  readonly cap: number;
  readonly keyName: string;
  /** Whether the client is Codex, which stops at once on status 400 and retries after 402. */
  readonly isCodex: boolean;
  /** Whether the client has disconnected meanwhile. */
  readonly isOver: () => boolean;
}

/** Amounts are in billionths of a US dollar. */
interface Session {
  spent: number;
  /** The maximum cost of the running requests, by the IDs of their exchanges. */
  readonly reserved: Map<string, number>;
  isWarned: boolean;
  /** Set if the user has changed the cap. Otherwise the cap of the key applies. */
  cap?: number;
  /** Set if the user has ended the session. */
  isEnded: boolean;
  /** Set while requests wait for a decision. */
  question?: PromiseWithResolvers<void>;
  /** Set if no decision was made in time. The question stays open, but no further request waits for it. */
  isUnanswered: boolean;
}

export interface SessionCapsOptions {
  /** Returns what a session has spent so far, in billionths of a US dollar. Called once for each session. */
  readonly spentOn: (sessionId: string) => number;
  /** Called once for each session when 80 % of its cap is spent, and again after the cap was raised. */
  readonly onWarning: (message: string) => void;
  /** Notifies the user. If undefined, no one can be asked, and requests at the cap are refused at once. */
  readonly onNotice?: ((notice: CapNotice) => void) | undefined;
  /** Maximum time that a request waits for a decision, in milliseconds. */
  readonly waitMs?: number;
}

const MAX_SESSIONS = 1_000;
const WARNED_PART = 0.8;
const WAIT_MS = 30_000;

/**
 * Refuses requests of sessions that have reached their cap. A request is sent if what the session has spent, plus the
 * maximum cost of its running requests, is below the cap. A single request can therefore exceed the cap by its own
 * cost. If a user can be asked, a request waits for the decision.
 */
export class SessionCaps {
  readonly #options: SessionCapsOptions;
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #sessionOf = new Map<string, Session>();

  constructor(options: SessionCapsOptions) {
    this.#options = options;
  }

  /**
   * Reserves the maximum cost of a request until {@link settle}. A further attempt adds to it.
   * @returns the refusal, or undefined if the request may be sent.
   */
  admit(exchangeId: string, capped: CappedSession, cost: number): Refusal | undefined | Promise<Refusal | undefined> {
    const session = this.#find(capped.sessionId);
    const refusal = this.#admitNow(exchangeId, capped, cost);
    const { onNotice } = this.#options;
    const isReached = session.spent >= capOf(session, capped);
    if (refusal === undefined || onNotice === undefined || !isReached) return refusal;
    if (session.isEnded || session.isUnanswered) return refusal;
    return this.#decided(session, capped).then(() =>
      capped.isOver() ? undefined : this.#admitNow(exchangeId, capped, cost),
    );
  }

  /**
   * Applies the user's decision, which is valid until the gateway stops. Does nothing for a session without requests.
   */
  decide(sessionId: string, decision: SessionDecision): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    session.isEnded = decision === 'end';
    if (decision !== 'end') {
      session.cap = toBillionths(decision.cap);
      session.isWarned = false;
    }
    session.isUnanswered = false;
    session.question?.resolve();
  }

  /** Raises a session's spending to that of all gateways together, in billionths of a US dollar. It never decreases. */
  learn(sessionId: string, spent: number): void {
    const session = this.#find(sessionId);
    session.spent = Math.max(session.spent, spent);
  }

  /** Whether a cost is reserved for the request. */
  has(exchangeId: string): boolean {
    return this.#sessionOf.has(exchangeId);
  }

  /**
   * Ends the reservation of a request.
   * @param cost undefined if it is not known.
   */
  settle(exchangeId: string, cost = 0): void {
    const session = this.#sessionOf.get(exchangeId);
    if (session === undefined) return;
    this.#sessionOf.delete(exchangeId);
    session.reserved.delete(exchangeId);
    session.spent += cost;
  }

  #admitNow(exchangeId: string, capped: CappedSession, cost: number): Refusal | undefined {
    const session = this.#find(capped.sessionId);
    const cap = capOf(session, capped);
    if (session.isEnded) return sessionEnded(capped, session.spent);
    const reserved = [...session.reserved.values()].reduce((sum, each) => sum + each, 0);
    if (session.spent + reserved >= cap) return capReached({ ...capped, cap: toDollars(cap) }, session.spent, reserved);
    session.reserved.set(exchangeId, (session.reserved.get(exchangeId) ?? 0) + cost);
    this.#sessionOf.set(exchangeId, session);
    if (!session.isWarned && session.spent >= cap * WARNED_PART) {
      session.isWarned = true;
      this.#options.onWarning(
        `A session of the local key "${capped.keyName}" has used ${formatSum(toDollars(session.spent))} of its cap of ${formatBalance(toDollars(cap))}.`,
      );
      this.#notify('nearlySpent', session, capped);
    }
    return undefined;
  }

  /**
   * Asks once for each session, however many requests wait. Resolves with the decision, or when none is made in time.
   */
  async #decided(session: Session, capped: CappedSession): Promise<void> {
    if (session.question !== undefined) return session.question.promise;
    const question = Promise.withResolvers<void>();
    session.question = question;
    this.#notify('waits', session, capped);
    const timer = setTimeout(() => {
      session.isUnanswered = true;
      this.#notify('refused', session, capped);
      question.resolve();
    }, this.#options.waitMs ?? WAIT_MS);
    await question.promise;
    clearTimeout(timer);
    delete session.question;
  }

  #notify(kind: CapNotice['kind'], session: Session, capped: CappedSession): void {
    const { sessionId, keyName, cap: step } = capped;
    const [spent, cap] = [toDollars(session.spent), toDollars(capOf(session, capped))];
    this.#options.onNotice?.({ kind, sessionId, keyName, spent, cap, step });
  }

  #find(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? {
      spent: this.#options.spentOn(sessionId),
      reserved: new Map<string, number>(),
      isWarned: false,
      isEnded: false,
      isUnanswered: false,
    };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    for (const [oldest, { reserved, question }] of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      if (reserved.size === 0 && question === undefined) this.#sessions.delete(oldest);
    }
    return session;
  }
}

/** In billionths of a US dollar. */
function capOf(session: Session, { cap }: CappedSession): number {
  return session.cap ?? toBillionths(cap);
}

function sessionEnded({ isCodex }: CappedSession, spent: number): Refusal {
  const message = `This session was ended in the editor after it had used ${formatSum(toDollars(spent))}. Nothing was sent or charged. Retrying does not help: start a new session.`;
  return finalRefusal(isCodex, message);
}

function capReached({ cap, keyName, isCodex }: CappedSession, spent: number, reserved: number): Refusal {
  const isReached = spent >= toBillionths(cap);
  const message = [
    `This session has used ${formatSum(toDollars(spent))} of its cap of ${formatBalance(cap)} for the local key "${keyName}".`,
    ...(isReached ? [] : [`Its requests in progress may use up the rest, up to ${formatMoney(toDollars(reserved))}.`]),
    'Nothing was sent or charged.',
    isReached
      ? 'Retrying does not help: start a new session, or raise the dollars per session among the limits of the key.'
      : 'Try again when they have ended.',
  ].join(' ');
  return isReached ? finalRefusal(isCodex, message) : { error: { kind: 'credit', status: 402, message } };
}
