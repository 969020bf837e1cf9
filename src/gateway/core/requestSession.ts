/** What kind of work a request does for its agent, as its client says. */
export type RequestClass = 'main' | 'subagent' | 'workflow' | 'compaction' | 'auxiliary';

/**
 * The session that a request belongs to. The ids are hashes of what the client sent, in 16 hexadecimal digits: the same
 * for as long as the ledger exists, and different for each local key.
 */
export interface SessionIds {
  /** A session of a tool or a chat, with all its subagents. */
  readonly sessionId: string;
  /** A subagent of the session; absent for its main agent. */
  readonly agentId?: string;
  /** A question of the user with all the requests that it led to. */
  readonly turnId?: string;
}

/** The members of a body that can identify a session. */
export const SESSION_MEMBERS: ReadonlySet<string> = new Set([
  'metadata',
  'session_id',
  'prompt_cache_key',
  'conversation',
]);
/** Longer values of theirs are not read, in bytes. */
export const MAX_SESSION_MEMBER_BYTES = 4 * 1024;

/** What a request's headers and body say about its session. */
export interface RequestSession {
  /** Undefined when the client does not identify its session. */
  readonly ids: SessionIds | undefined;
  /** True if the client does not identify its session, and the gateway has found it by the messages. */
  readonly isFound?: true;
  readonly requestClass: RequestClass | undefined;
  /** The name that the client gives to its kind of agent, such as `Explore`. */
  readonly agentType: string | undefined;
  /**
   * Tells it what a reader of the whole body has found, which saves a search of its own.
   * @param members the values of {@link SESSION_MEMBERS} by their names, as JSON.
   */
  learn?(members: ReadonlyMap<string, string>): void;
}
