/** Notifications to the user about a session, and the user's decision. */

export type SessionNotice = CapNotice | LoopNotice | DecisionNotice;

/** The user has raised the cap of a session or ended it, possibly in another window. */
export interface DecisionNotice {
  readonly kind: 'decided';
  readonly sessionId: string;
}

/** An agent has made the same calls with the same results several times in a row. */
export interface LoopNotice {
  readonly kind: 'loops';
  readonly sessionId: string;
  readonly keyName: string;
  readonly rounds: number;
  /** Whether the session was ended because of this, so that its further requests are refused. */
  readonly isEnded: boolean;
}

/** The spending of a session approaches its cap, or has reached it. */
export interface CapNotice {
  /**
   * `nearlySpent`: 80 % of the cap is used. `waits`: a request would exceed the cap and waits for a decision. `refused`:
   * no decision was made in time.
   */
  readonly kind: 'nearlySpent' | 'waits' | 'refused';
  readonly sessionId: string;
  readonly keyName: string;
  /** US dollars. `cap` currently applies to this session; `step` is what the key allows for each session. */
  readonly spent: number;
  readonly cap: number;
  readonly step: number;
  /** The estimated cost of the waiting request in US dollars, if the cap is not used up yet. */
  readonly needs?: number;
}

/** Another cap for the session in US dollars, or its end, after which all further requests are refused. */
export type SessionDecision = { readonly cap: number } | 'end';

/** A session of a local key with a cap, as of its latest request. Amounts are in US dollars. */
export interface CappedSessionState {
  readonly sessionId: string;
  readonly localKeyId: string;
  readonly spent: number;
  /** The cap that applies to this session, and the one that the key sets for each session. */
  readonly cap: number;
  readonly step: number;
  /** When its latest request came, in milliseconds since the epoch. */
  readonly lastAt: number;
  /** Whether the user has not answered the question about its cap yet. */
  readonly isWaiting: boolean;
  readonly isEnded: boolean;
}
