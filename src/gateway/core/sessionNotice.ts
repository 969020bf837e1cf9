/** What a person is told about a session whose spending has a cap, and what they decide. */

export interface SessionNotice {
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
