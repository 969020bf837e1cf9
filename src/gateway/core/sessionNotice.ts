/** Notifications to the user about a session, and the user's decision. */

export type SessionNotice = CapNotice | LoopNotice;

/** An agent has made the same calls with the same results several times in a row. */
export interface LoopNotice {
  readonly kind: 'loops';
  readonly sessionId: string;
  /** The name of its local key. */
  readonly keyName: string;
  readonly rounds: number;
  /** Whether the session was ended because of this, so that its further requests are refused. */
  readonly isEnded: boolean;
}

/** The spending of a session approaches its cap, or has reached it. */
export interface CapNotice {
  /**
   * `nearlySpent`: 80 % of the cap is used. `waits`: the cap is reached, and a request waits for a decision. `refused`:
   * no decision was made in time.
   */
  readonly kind: 'nearlySpent' | 'waits' | 'refused';
  readonly sessionId: string;
  /** The name of the session's local key. */
  readonly keyName: string;
  /** US dollars. `cap` currently applies to this session; `step` is what the key allows for each session. */
  readonly spent: number;
  readonly cap: number;
  readonly step: number;
}

/** Another cap for the session in US dollars, or its end, after which all further requests are refused. */
export type SessionDecision = { readonly cap: number } | 'end';
