import { formatBalance, formatMoney, formatSum } from '../../display/money.ts';
import { toBillionths, toDollars } from '../../ledger/cost.ts';
import { Account } from '../../rules/account.ts';
import { endedSession, finalRefusal, type Refusal } from '../core/refusal.ts';
import type { CapNotice, CappedSessionState } from '../core/sessionNotice.ts';
import { type PacedRequest, SessionPace } from './sessionPace.ts';

export interface CappedSession {
  readonly sessionId: string;
  /** US dollars, for all requests of the session and its subagents. */
  readonly cap: number;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether the client is Codex, which stops immediately on status 400 and retries after 402. */
  readonly isCodex: boolean;
  /** Length of the request's body. */
  readonly bytes: number;
  /** Whether the client has disconnected meanwhile. */
  readonly isOver: () => boolean;
  readonly hasEnded: () => boolean;
}

/** Amounts are in billionths of a US dollar. */
interface WatchedSession {
  /** Running requests reserve their maximum cost. */
  readonly account: Account;
  /** By the IDs of their exchanges. */
  readonly running: Map<string, PacedRequest>;
  readonly pace: SessionPace;
  isWarned: boolean;
  /** Set if the user has changed the cap. Otherwise the cap of the key applies. */
  cap?: number;
  /** Set while requests wait for a decision. */
  question?: PromiseWithResolvers<void>;
  /** The latest request that the session wanted to send. */
  latest?: { readonly keyId: string; readonly step: number; readonly at: number };
  isEnded: boolean;
  /** Set if no decision was made in time. The question stays open, but no further request waits for it. */
  isUnanswered: boolean;
}

export interface SessionCapsOptions {
  /** Returns what a session has spent so far, in billionths of a US dollar. Called once for each session. */
  readonly spentOn: (sessionId: string) => number;
  /** Called once for each session when 80 % of its cap is spent, and again after the cap was raised. */
  readonly onWarning: (message: string) => void;
  /** Notifies the user. If undefined, no one can be asked, and requests at the cap are refused immediately. */
  readonly onNotice?: ((notice: CapNotice) => void) | undefined;
  /** Maximum time that a request waits for a decision, in milliseconds. */
  readonly waitMs?: number;
}

const MAX_SESSIONS = 1_000;
const WARNED_PART = 0.8;
const WAIT_MS = 30_000;

interface Obstacle {
  readonly refusal: Refusal;
  /** What the request needs, in US dollars, if the rest of the cap is less. */
  readonly needs?: number;
  /** Whether a higher cap would let the request through. */
  readonly mayAsk: boolean;
}

/**
 * Refuses requests that would exceed the cap of their session. A request is sent if what the session has spent, plus
 * the estimated costs of the request and of those that run, is within the cap, and if the maximum cost of those that
 * run leaves something of it. The length of an answer is not known before, so a single request can still exceed the cap. If a user
 * can be asked, a request waits for the decision.
 */
export class SessionCaps {
  readonly #options: SessionCapsOptions;
  /** Least recently used first. */
  readonly #sessions = new Map<string, WatchedSession>();
  readonly #sessionOf = new Map<string, WatchedSession>();
  /** Whether any request was admitted. A field, because each exchange reads it. */
  isInUse = false;

  constructor(options: SessionCapsOptions) {
    this.#options = options;
  }

  /**
   * Reserves the maximum cost of a request until {@link settle}. A further attempt adds to it.
   * @returns the refusal, or undefined if the request may be sent.
   */
  admit(
    exchangeId: string,
    capped: CappedSession,
    request: PacedRequest,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const session = this.#find(capped.sessionId);
    session.latest = { keyId: capped.keyId, step: capped.cap, at: Date.now() };
    const obstacle = this.#admitNow(exchangeId, capped, request);
    if (obstacle === undefined) return undefined;
    const { refusal, needs, mayAsk } = obstacle;
    if (this.#options.onNotice === undefined || !mayAsk || session.isUnanswered) return refusal;
    return this.#decided(session, capped, needs).then(() =>
      capped.isOver() ? undefined : this.#admitNow(exchangeId, capped, request)?.refusal,
    );
  }

  /**
   * Raises the cap, until the gateway stops. Does nothing for a session without requests.
   * @param cap US dollars.
   */
  raise(sessionId: string, cap: number): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    session.cap = toBillionths(cap);
    session.isWarned = false;
    session.isUnanswered = false;
    session.question?.resolve();
  }

  /** Refuses the requests that wait for a decision, because their session was ended. */
  end(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    session.isEnded = true;
    session.question?.resolve();
  }

  /** Raises a session's spending to that of all gateways together, in billionths of a US dollar. It never decreases. */
  learn(sessionId: string, spent: number): void {
    const { account } = this.#find(sessionId);
    account.used = Math.max(account.used, spent);
  }

  /** The sessions that have asked since the gateway started, the latest first. */
  get states(): readonly CappedSessionState[] {
    const states = [...this.#sessions].flatMap(([sessionId, session]) => {
      const { latest, account, cap, question, isUnanswered, isEnded } = session;
      if (latest === undefined) return [];
      const isWaiting = !isEnded && (question !== undefined || isUnanswered);
      const caps = { cap: cap === undefined ? latest.step : toDollars(cap), step: latest.step };
      const { keyId: localKeyId, at: lastAt } = latest;
      return [{ sessionId, localKeyId, spent: toDollars(account.used), ...caps, lastAt, isWaiting, isEnded }];
    });
    return states.sort((a, b) => b.lastAt - a.lastAt);
  }

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
    session.account.settle(exchangeId, cost);
    const request = session.running.get(exchangeId);
    session.running.delete(exchangeId);
    if (request !== undefined && cost > 0) session.pace.add(request, cost);
  }

  #admitNow(exchangeId: string, capped: CappedSession, request: PacedRequest): Obstacle | undefined {
    const session = this.#find(capped.sessionId);
    const cap = capOf(session, capped);
    if (capped.hasEnded()) return { refusal: endedSession(capped.isCodex), mayAsk: false };
    const { used: spent, reserved } = session.account;
    const known = { ...capped, cap: toDollars(cap), spent: toDollars(spent) };
    // A further attempt sends what was admitted before.
    const needs = session.running.has(exchangeId) ? 0 : session.pace.needOf(request);
    if (spent >= cap || spent + needs > cap) {
      const isReached = spent >= cap;
      const shown = isReached ? {} : { needs: toDollars(needs) };
      return { refusal: capReached({ ...known, ...shown }), ...shown, mayAsk: true };
    }
    // Requests that would each be within the cap alone must not exceed it together.
    const needed = needs === 0 ? 0 : needs + needOfRunning(session);
    const isReserved = spent + reserved >= cap || spent + needed > cap;
    if (isReserved) return { refusal: capReserved(known, toDollars(reserved)), mayAsk: false };
    session.account.reserve(exchangeId, request.maxCost);
    session.running.set(exchangeId, request);
    this.#sessionOf.set(exchangeId, session);
    this.isInUse = true;
    if (!session.isWarned && spent >= cap * WARNED_PART) {
      session.isWarned = true;
      this.#options.onWarning(
        `A session of the local key "${capped.keyName}" has used ${formatSum(known.spent)} of its cap of ${formatBalance(known.cap)}.`,
      );
      this.#notify('nearlySpent', session, capped);
    }
    return undefined;
  }

  /**
   * Asks once for each session, however many requests wait. Resolves with the decision, or when none is made in time.
   */
  async #decided(session: WatchedSession, capped: CappedSession, needs: number | undefined): Promise<void> {
    if (session.question !== undefined) return session.question.promise;
    const question = Promise.withResolvers<void>();
    session.question = question;
    this.#notify('waits', session, capped, needs);
    const timer = setTimeout(() => {
      session.isUnanswered = true;
      this.#notify('refused', session, capped);
      question.resolve();
    }, this.#options.waitMs ?? WAIT_MS);
    await question.promise;
    clearTimeout(timer);
    delete session.question;
  }

  #notify(kind: CapNotice['kind'], session: WatchedSession, capped: CappedSession, needs?: number): void {
    const { sessionId, keyName, cap: step } = capped;
    const [spent, cap] = [toDollars(session.account.used), toDollars(capOf(session, capped))];
    const isShort = needs !== undefined;
    this.#options.onNotice?.({ kind, sessionId, keyName, spent, cap, step, ...(isShort && { needs }) });
  }

  #find(sessionId: string): WatchedSession {
    const session = this.#sessions.get(sessionId) ?? {
      account: new Account(this.#options.spentOn(sessionId)),
      running: new Map<string, PacedRequest>(),
      pace: new SessionPace(),
      isWarned: false,
      isEnded: false,
      isUnanswered: false,
    };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    for (const [oldest, { running, question }] of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      if (running.size === 0 && question === undefined) this.#sessions.delete(oldest);
    }
    return session;
  }
}

function needOfRunning({ running, pace }: WatchedSession): number {
  return [...running.values()].reduce((sum, request) => sum + pace.needOf(request), 0);
}

/** In billionths of a US dollar. */
function capOf(session: WatchedSession, { cap }: CappedSession): number {
  return session.cap ?? toBillionths(cap);
}

/** Amounts are in US dollars. */
interface ReachedCap extends CappedSession {
  readonly spent: number;
  /** Set if the cap is not used up, but the rest is less than this. */
  readonly needs?: number;
}

function capReached({ needs, isCodex, ...session }: ReachedCap): Refusal {
  const message = [
    usedText(session),
    ...(needs === undefined ? [] : [`This request needs about ${formatMoney(needs)}.`]),
    'Nothing was sent or charged.',
    'Retrying does not help: start a new session, or raise the dollars per session among the limits of the key.',
  ];
  return finalRefusal(isCodex, message.join(' '));
}

/** @param reserved the maximum cost of running requests, in US dollars. */
function capReserved(session: Omit<ReachedCap, 'needs'>, reserved: number): Refusal {
  const message = [
    usedText(session),
    `Its requests in progress may use up the rest, up to ${formatMoney(reserved)}.`,
    'Nothing was sent or charged.',
    'Try again when they have ended.',
  ];
  return { error: { kind: 'credit', status: 402, message: message.join(' ') } };
}

function usedText({ spent, cap, keyName }: Pick<ReachedCap, 'spent' | 'cap' | 'keyName'>): string {
  return `This session has used ${formatSum(spent)} of its cap of ${formatBalance(cap)} for the local key "${keyName}", subagents included.`;
}
