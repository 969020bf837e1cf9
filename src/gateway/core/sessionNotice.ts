/** Notifications to the user about a session whose spending has a cap, and the user's decision. */

export interface SessionNotice {
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
