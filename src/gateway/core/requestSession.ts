import type { SessionIds } from '../../ledger/ledgerEntry.ts';

/** The kind of work that a request does for its agent, as stated by the client. */
export type RequestClass = 'main' | 'subagent' | 'workflow' | 'compaction' | 'auxiliary';

/** The members of a body that can identify a session. */
export const SESSION_MEMBERS: ReadonlySet<string> = new Set([
  'metadata',
  'session_id',
  'prompt_cache_key',
  'conversation',
]);
/** Longer values of these members are not read, in bytes. */
export const MAX_SESSION_MEMBER_BYTES = 4 * 1024;

/** What a request's headers and body say about its session. */
export interface RequestSession {
  /** Undefined if the client does not identify its session. */
  readonly ids: SessionIds | undefined;
  /** True if the client does not identify its session, and the gateway has found it by the messages. */
  readonly isFound?: true;
  readonly requestClass: RequestClass | undefined;
  /** The client's name for its kind of agent, such as `Explore`. */
  readonly agentType: string | undefined;
  /** How long the client's tools ran before the request, in milliseconds, if the client reports it. */
  readonly toolMs: number | undefined;
  /**
   * The repository that the client works in, if names are recorded and it is known: from the client, or from the window
   * in whose terminal it runs. Final once `ids` was read.
   */
  readonly repository?: string | undefined;
  /** The branch that this window was on when the request began. */
  readonly branch?: string | undefined;
  /**
   * Receives what a reader of the whole body has found, which saves a separate search.
   * @param members the values of {@link SESSION_MEMBERS} by their names, as JSON.
   */
  learn?(members: ReadonlyMap<string, string>): void;
}
