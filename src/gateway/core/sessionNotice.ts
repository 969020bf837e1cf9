/** What a person is told about a session, and what they decide. */

export type SessionNotice = CapNotice | LoopNotice;

/** An agent has made the same calls with the same results several times in a row. */
export interface LoopNotice {
  readonly kind: 'loops';
  readonly sessionId: string;
  /** The name of its local key. */
  readonly keyName: string;
  readonly rounds: number;
  /** Whether the session was ended for it, so that its further requests are refused. */
  readonly isEnded: boolean;
}

/** The spending of a session approaches its cap, or has reached it. */
export interface CapNotice {
  /**
   * `nearlySpent`: 80 % of the cap is used. `waits`: the cap is reached, and a request waits for a decision. `refused`:
   * nobody has decided in time.
   */
  readonly kind: 'nearlySpent' | 'waits' | 'refused';
  readonly sessionId: string;
  /** The name of its local key. */
  readonly keyName: string;
  /** US dollars. `cap` is what applies to this session now, `step` what the key allows each session. */
  readonly spent: number;
  readonly cap: number;
  readonly step: number;
}

/** Another cap for the session, in US dollars; or its end: all further requests are refused. */
export type SessionDecision = { readonly cap: number } | 'end';
